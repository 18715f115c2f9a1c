# Plots of results.csv, each as SVG and as PNG, beside it. The caller sets the variable `folder`. A
# plot whose experiments were not run is left out.

results = folder."/results.csv"
awk = "awk -F, '"

# The size at which there are results for many threads is the one shown.
slots = system(awk."$1 == \"many\" {print $2; exit}' ".results)
title_size = ", 2^{".slots."} slots"

# Conditions are awk's, on the fields of results.csv: 1 experiment, 3 operation, 4 contender,
# 5 threads, 7 rounds; 8 to 10 are the median and the quartiles.
there(experiment) = system(awk."$1 == \"".experiment."\"' ".results." | wc -l") > 0
rows(condition, label) = "< ".awk."$2 == \"".slots."\" && $7 > 0 && ".condition. \
    " {printf \"\\\"%s\\\" %s %s %s\\n\", ".label.", $8, $9, $10}' ".results

# The contenders, in order. gnuplot cuts lists at blanks, so these become underscores meanwhile.
names(condition) = system(awk.condition." && !seen[$4]++ {gsub(/ /, \"_\", $4); print $4}' ".results)
spaced(name) = system("echo '".name."' | tr _ ' '")
is(name) = "$4 == \"".spaced(name)."\""

set style fill solid 0.8 border -1
set grid ytics linecolor "#cccccc"
set key outside right top
set offsets 0.5, 0.5, 0, 0

do for [kind in "svg png"] {
    if (kind eq "svg") {
        set terminal svg size 900,500 background "white" font "sans-serif,13"
    } else {
        set terminal pngcairo size 900,500 background "white" font "sans-serif,11"
    }
    file(name) = sprintf("%s/%s.%s", folder, name, kind)

    # Bars
    set ylabel "million a second"
    set yrange [0:*]
    set xtics rotate by -35

    if (there("single") && there("batch") && there("others")) {
        set output file("lookups")
        set title "Look-ups on one thread".title_size
        shown = "(($1 == \"single\" && $4 !~ /1w/) || ($1 == \"batch\" && $4 ~ /guira/) || \
                  ($1 == \"others\" && $4 != \"textbook\"))"
        plot rows(shown." && $3 == \"hit\"", "$4") \
                 using ($0-0.2):2:3:4:(0.4):xtic(1) with boxerrorbars title "hit", \
             rows(shown." && $3 == \"miss\"", "$4") \
                 using ($0+0.2):2:3:4:(0.4) with boxerrorbars title "miss"
    }
    if (there("threads")) {
        set output file("mixed")
        set title "90 % look-ups, 5 % inserts, 5 % removes on two threads".title_size
        plot rows("$1 == \"threads\" && $3 ~ /^mixed/ && $5 == 2 && $4 != \"2 lines\"", "$4") \
                 using 0:2:3:4:(0.6):xtic(1) with boxerrorbars notitle
    }

    # Lines
    set xtics norotate
    if (there("many")) {
        set output file("threads")
        set title "90 % look-ups, 5 % inserts, 5 % removes".title_size
        set xlabel "threads"
        plot for [name in names("$1 == \"many\" && $4 != \"2 lines\"")] \
                 rows("$1 == \"many\" && ".is(name), "$5") \
                 using 0:2:3:4:xtic(1) with yerrorlines linewidth 2 title spaced(name)
    }

    set logscale y
    set yrange [*:*]
    if (there("single") && there("batch")) {
        set output file("inserts")
        set title "Inserts on one thread".title_size
        set xlabel "load, of all slots"
        slice = " && $3 ~ /^insert [0-9]/ && "
        plot for [name in names("$1 == \"single\" && $4 !~ /1w/")] \
                 rows("$1 == \"single\"".slice.is(name), "substr($3, 8)") \
                 using 0:2:3:4:xtic(1) with yerrorlines linewidth 2 title spaced(name), \
             for [name in names("$1 == \"batch\" && $4 ~ /guira/")] \
                 rows("$1 == \"batch\"".slice.is(name), "substr($3, 8)") \
                 using 0:2:3:4 with yerrorlines dashtype 2 title spaced(name)
    }
    if (there("latency")) {
        set output file("latency")
        set title "Look-ups beside a writer that never pauses".title_size
        set xlabel ""
        set ylabel "nanoseconds"
        plot for [name in names("$1 == \"latency\"")] \
                 rows("$1 == \"latency\" && $3 ~ /^hit churn/ && ".is(name), "substr($3, 11)") \
                 using 0:2:3:4:xtic(1) with yerrorlines linewidth 2 title spaced(name)
    }
    unset logscale y

    # A point for each 500th of the inserts.
    slices = folder."/growth.csv"
    if (int(system("[ -s ".slices." ] && echo 1 || echo 0")) == 1) {
        growers = system("awk -F, 'NR > 1 && !seen[$1]++ {gsub(/ /, \"_\", $1); print $1}' ".slices)
        of(name, columns) = "< awk -F, '$1 == \"".spaced(name)."\" {print ".columns."}' ".slices
        set offsets 0, 0, 0, 0
        set xtics autofreq
        set yrange [0:*]
        set output file("growth")
        set title "Inserts while a filter grows to a hundred times its keys"
        set xlabel "seconds"
        set ylabel "million inserts a second"
        plot for [name in growers] of(name, "$2, $4") with lines linewidth 2 title spaced(name)
        set output file("growth_memory")
        set title "Memory while a filter grows to a hundred times its keys"
        set xlabel "million items"
        set ylabel "MB resident"
        plot for [name in growers] of(name, "$3 / 1e6, $5") with lines linewidth 2 title spaced(name)
        set offsets 0.5, 0.5, 0, 0
    }
}
