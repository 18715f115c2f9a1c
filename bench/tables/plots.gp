# Plots of guira_tables' data, each as SVG and as PNG, in plots/ beside it. The caller sets the
# variable `folder`.

# Rows of a file whose first field is a name, and the names that it has, in order. gnuplot cuts lists
# at blanks, so these become underscores meanwhile.
spaced(name) = system("echo '".name."' | tr _ ' '")
rows(file, name) = "< awk -F, '$1 == \"".spaced(name)."\"' ".folder."/".file.".csv"
names(file, condition) = system("awk -F, 'NR > 1 && ".condition. \
    " && !seen[$1]++ {gsub(/ /, \"_\", $1); print $1}' ".folder."/".file.".csv")
of_quantile(file, name, quantile) = "< awk -F, '$1 == \"".spaced(name)."\" && $3 == \"". \
    quantile."\"' ".folder."/".file.".csv"

set datafile separator ","
set style fill solid 0.8 border -1
set grid linecolor "#cccccc"
set key outside right top
windows = "windows_of_2 windows_of_3 windows_of_4"

do for [kind in "svg png"] {
    if (kind eq "svg") {
        set terminal svg size 900,500 background "white" font "sans-serif,13"
    } else {
        set terminal pngcairo size 900,500 background "white" font "sans-serif,11"
    }
    file(name) = sprintf("%s/plots/tables_%s.%s", folder, name, kind)
    unset logscale
    unset format
    set yrange [*:*]
    set xrange [*:*]

    set output file("load")
    set title "Load at the first insert that fails, mean and least of the fills"
    set xlabel "slots a side"
    set ylabel "load"
    set xrange [0.5:8.5]
    plot for [name in names("load", "$1 != \"published\" && $1 != \"ten random kicks\"")] \
             rows("load", name) using 2:4:5:4 with yerrorlines linewidth 2 title spaced(name), \
         rows("load", "published") using 2:4 with points pointtype 3 pointsize 1.5 \
             linecolor "black" title "published"

    set output file("rate")
    set title "False-positive rates by the width of tags, filled until an insert fails"
    set xlabel "bits of a tag"
    set ylabel "false-positive rate"
    set xrange [5.5:21.5]
    set logscale y
    set format y "10^{%L}"
    plot for [i = 1:words(windows)] rows("space", word(windows, i)) using 2:6 with points \
             pointtype 7 linecolor i title spaced(word(windows, i)), \
         for [i = 1:words(windows)] rows("space", word(windows, i)) using 2:5 with lines \
             linecolor i title "  expected", \
         rows("space", "random_kicks") using 2:6 with points pointtype 5 linecolor 4 \
             title "random kicks b = 4", \
         [5.5:17.5] 8 / 2**x with lines dashtype 2 linecolor 4 title "  8 / 2^f", \
         rows("space", "published") using 2:6 with points pointtype 3 pointsize 1.5 \
             linecolor "black" title "published"

    set logscale x
    set format x "10^{%L}"
    set xrange [1e-6:0.11]
    unset logscale y
    unset format y
    set xlabel "false-positive rate"
    set output file("space")
    set title "Bits an item, filled until an insert fails"
    set ylabel "bits an item"
    set yrange [0:45]
    lines = "optimal_Bloom counting_Bloom guira_size_for"
    plot for [name in lines] rows("space", name) using 6:7 with lines linewidth 2 \
             title spaced(name), \
         for [name in "libbloom random_kicks ".windows] rows("space", name) using 6:7 \
             with linespoints pointtype 7 pointsize 0.5 title spaced(name), \
         rows("space", "published") using 6:7 with points pointtype 3 pointsize 1.5 \
             linecolor "black" title "published"

    set output file("break_even")
    set title "Bits an item, divided by those of an optimal Bloom filter"
    set ylabel "ratio"
    set yrange [0.75:1.5]
    plot 1 with lines linewidth 2 linecolor "black" title "optimal Bloom", \
         for [name in "guira_size_for libbloom random_kicks ".windows] rows("space", name) \
             using 6:($7 / $9) with linespoints pointtype 7 pointsize 0.5 title spaced(name), \
         rows("space", "published") using 6:($7 / $9) with points pointtype 3 pointsize 1.5 \
             linecolor "black" title "published", \
         rows("space", "break-even") using 6:(1) with points pointtype 6 pointsize 2 \
             linecolor "black" title "break-even"

    unset logscale
    unset format
    set xrange [*:*]
    set yrange [-2:100]
    set output file("removal")
    set title "Items lost among those that stay"
    set xlabel "percent of the items removed"
    set ylabel "percent of the rest lost"
    removal = folder."/removal.csv"
    plot removal using 1:2 skip 1 with linespoints title "clearing bits of libbloom", \
         removal using 1:3 skip 1 with linespoints linewidth 2 title "guira"

    set logscale y
    set yrange [0.01:*]
    set xlabel "load"
    set output file("cost")
    set title "Entries that an insert tries to move (lines), and moves (dashes)"
    set ylabel "entries an insert"
    filters = names("cost", "1")
    plot for [i = 1:words(filters)] rows("cost", word(filters, i)) using 2:3 with lines \
             linewidth 2 linecolor i title spaced(word(filters, i)), \
         for [i = 1:words(filters)] rows("cost", word(filters, i)) using 2:4 with lines \
             dashtype 2 linecolor i notitle

    set yrange [*:*]
    set output file("latency")
    set title "How long an insert takes: p50 (lines), p99 (dashes), with quartiles of the rounds"
    set ylabel "nanoseconds"
    filters = names("latency", "1")
    plot for [i = 1:words(filters)] of_quantile("latency", word(filters, i), "p50") \
             using 2:4:5:6 with yerrorlines linewidth 2 linecolor i \
             title spaced(word(filters, i)), \
         for [i = 1:words(filters)] of_quantile("latency", word(filters, i), "p99") \
             using 2:4:5:6 with yerrorlines dashtype 2 linecolor i notitle
}
