/*
 * The C++ face of guira, C++17 and later: a filter that ends with its scope, keys as strings, bytes
 * or integers, statuses that are std::error_code where one is wanted. Each call does what the C
 * call of that name does; guira.h says what that is, who may call it when, and what it leaves.
 *
 *     guirapp::filter seen({.capacity = 1'000'000, .false_positive_rate = 0.01});   // C++20
 *     if (!seen.contains("key")) {
 *         std::error_code failed = seen.insert("key"); // full, say: then the key is not in
 *     }
 *
 * The namespace has a name of its own, as `guira` is the C struct.
 *
 * Hot calls return guira_status, a plain number. Calls that make, read or write whole filters
 * return std::error_code; the constructor throws std::system_error.
 */
#ifndef GUIRA_GUIRA_HPP
#define GUIRA_GUIRA_HPP

#if __cplusplus < 201703L
#error "guira/guira.hpp needs C++17 or later, such as -std=c++17"
#else

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#if defined(__has_include) && __cplusplus >= 202002L
#if __has_include(<span>)
#include <span>
#endif
#endif

#include <guira/guira.h>

namespace guirapp {

/* guira_options, with zeros for what is not given. */
struct options {
    std::uint64_t capacity = 0;
    double false_positive_rate = 0;
    std::uint64_t max_capacity = 0;
    double failure_chance = 0;
    bool compact = false;
    std::uint64_t buckets = 0;
    std::uint32_t tag_bits = 0;
    std::uint32_t window = 0;
    std::uint64_t seed = 0;
    ::guira_hash_function hash = {};
    std::uint32_t stripes = 0;
    std::uint32_t search_budget = 0;
    bool single_writer = false;
    ::guira_allocator allocator = {};

    ::guira_options in_c() const noexcept {
        ::guira_options o{};
        o.capacity = capacity;
        o.false_positive_rate = false_positive_rate;
        o.max_capacity = max_capacity;
        o.failure_chance = failure_chance;
        o.compact = compact;
        o.buckets = buckets;
        o.tag_bits = tag_bits;
        o.window = window;
        o.seed = seed;
        o.hash = hash;
        o.stripes = stripes;
        o.search_budget = search_budget;
        o.single_writer = single_writer;
        o.allocator = allocator;
        return o;
    }
};
static_assert(sizeof(options) + sizeof(::guira_options::reserved) == sizeof(::guira_options),
              "a member of guira_options is missing");

using load_options = ::guira_load_options;
using save_options = ::guira_save_options;
using info = ::guira_info;
using sizing = ::guira_sizing;
using status = ::guira_status;

/* The category of statuses: "guira", with the texts of guira_status_text. */
inline const std::error_category &category() noexcept {
    class statuses final : public std::error_category {
      public:
        const char *name() const noexcept override {
            return "guira";
        }
        std::string message(int value) const override {
            return ::guira_status_text(static_cast<status>(value));
        }
        /* What the standard has a name for. */
        std::error_condition default_error_condition(int value) const noexcept override {
            switch (static_cast<status>(value)) {
            case GUIRA_NO_MEMORY:
                return std::errc::not_enough_memory;
            case GUIRA_IO_FAILED:
                return std::errc::io_error;
            case GUIRA_READ_ONLY:
                return std::errc::operation_not_permitted;
            default:
                return {value, *this};
            }
        }
    };
    static const statuses only;
    return only;
}

inline std::error_code error(status value) noexcept {
    return {static_cast<int>(value), category()};
}

/* Bytes that are a key; made from what strings and arrays of bytes are in C++. */
class bytes {
  public:
    bytes(std::string_view text) noexcept : data_(text.data()), size_(text.size()) {
    }
    bytes(const std::string &text) noexcept : data_(text.data()), size_(text.size()) {
    }
    bytes(const char *text) noexcept : bytes(std::string_view(text)) {
    }
    bytes(std::nullptr_t) = delete;
    bytes(const void *data, std::size_t size) noexcept : data_(data), size_(size) {
    }
#if defined(__cpp_lib_span)
    bytes(std::span<const std::byte> key) noexcept : data_(key.data()), size_(key.size()) {
    }
    bytes(std::span<const unsigned char> key) noexcept : data_(key.data()), size_(key.size()) {
    }
#endif

    const void *data() const noexcept {
        return data_;
    }
    std::size_t size() const noexcept {
        return size_;
    }

  private:
    const void *data_;
    std::size_t size_;
};

/* Integers that are keys. A bool or a character is none: it is a slip, or meant as text. */
template <class T>
inline constexpr bool is_integer_key =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char> &&
    !std::is_same_v<T, wchar_t> && !std::is_same_v<T, char16_t> && !std::is_same_v<T, char32_t>;
#if defined(__cpp_char8_t)
template <> inline constexpr bool is_integer_key<char8_t> = false;
#endif

/* A filter, or none after it was moved from. Many threads may share one, by reference. */
class filter {
    template <class Integer> using if_integer = std::enable_if_t<is_integer_key<Integer>, int>;

  public:
    filter() noexcept = default; /* none: contains nothing, and takes nothing */
    explicit filter(const options &wanted) {
        const ::guira_options in_c = wanted.in_c();
        status made = ::guira_create(&in_c, &filter_);
        if (made != GUIRA_OK) {
            throw std::system_error(error(made), "guirapp::filter");
        }
    }
    /* Takes over one that C code made. */
    explicit filter(::guira *owned) noexcept : filter_(owned) {
    }
    filter(filter &&other) noexcept : filter_(std::exchange(other.filter_, nullptr)) {
    }
    filter &operator=(filter &&other) noexcept {
        filter moved(std::move(other));
        std::swap(filter_, moved.filter_);
        return *this;
    }
    filter(const filter &) = delete; /* clone says what it costs */
    filter &operator=(const filter &) = delete;
    ~filter() {
        ::guira_destroy(filter_);
    }

    ::guira *get() const noexcept {
        return filter_;
    }
    ::guira *release() noexcept {
        return std::exchange(filter_, nullptr);
    }
    explicit operator bool() const noexcept {
        return filter_ != nullptr;
    }

    /* ---- Bytes ---- */
    bool contains(bytes key) const noexcept {
        return ::guira_contains(filter_, key.data(), key.size());
    }
    unsigned count(bytes key) const noexcept {
        return ::guira_count(filter_, key.data(), key.size());
    }
    status insert(bytes key) noexcept {
        return ::guira_insert(filter_, key.data(), key.size());
    }
    status insert_unique(bytes key) noexcept {
        return ::guira_insert_unique(filter_, key.data(), key.size());
    }
    status remove(bytes key) noexcept {
        return ::guira_remove(filter_, key.data(), key.size());
    }

    /* ---- Integers: the key is the value as 64 bits ---- */
    template <class Integer, if_integer<Integer> = 0> bool contains(Integer key) const noexcept {
        return ::guira_contains_u64(filter_, static_cast<std::uint64_t>(key));
    }
    template <class Integer, if_integer<Integer> = 0> unsigned count(Integer key) const noexcept {
        return ::guira_count_u64(filter_, static_cast<std::uint64_t>(key));
    }
    template <class Integer, if_integer<Integer> = 0> status insert(Integer key) noexcept {
        return ::guira_insert_u64(filter_, static_cast<std::uint64_t>(key));
    }
    template <class Integer, if_integer<Integer> = 0> status insert_unique(Integer key) noexcept {
        return ::guira_insert_unique_u64(filter_, static_cast<std::uint64_t>(key));
    }
    template <class Integer, if_integer<Integer> = 0> status remove(Integer key) noexcept {
        return ::guira_remove_u64(filter_, static_cast<std::uint64_t>(key));
    }

    /* ---- Many: keys by guira_keys_u64 and its like; results as many as keys ---- */
    status contains(::guira_keys keys, bool *results) const noexcept {
        return ::guira_contains_batch(filter_, keys, results);
    }
    status count(::guira_keys keys, unsigned *results) const noexcept {
        return ::guira_count_batch(filter_, keys, results);
    }
    status insert(::guira_keys keys, status *results) noexcept {
        return ::guira_insert_batch(filter_, keys, results);
    }
    status insert_unique(::guira_keys keys, status *results) noexcept {
        return ::guira_insert_unique_batch(filter_, keys, results);
    }
    status remove(::guira_keys keys, status *results) noexcept {
        return ::guira_remove_batch(filter_, keys, results);
    }

    /* ---- The whole ---- */
    std::uint64_t size() const noexcept {
        return ::guira_size(filter_);
    }
    std::uint64_t capacity() const noexcept {
        return ::guira_capacity(filter_);
    }
    status clear() noexcept {
        return ::guira_clear(filter_);
    }
    status reserve(std::uint64_t items) noexcept {
        return ::guira_reserve(filter_, items);
    }
    status shrink() noexcept {
        return ::guira_shrink(filter_);
    }
    std::error_code get_info(info &out) const noexcept {
        return error(::guira_get_info(filter_, &out));
    }
    /* What a filter of these options will be; nothing is allocated. */
    static std::error_code size_for(const options &wanted, sizing &out) noexcept {
        const ::guira_options in_c = wanted.in_c();
        return error(::guira_size_for(&in_c, &out));
    }
    [[nodiscard]] std::error_code check(unsigned *invariant = nullptr) const noexcept {
        return error(::guira_check(filter_, invariant));
    }
    [[nodiscard]] std::error_code verify() const noexcept {
        return error(::guira_verify(filter_));
    }

    [[nodiscard]] std::error_code clone(filter &out) const noexcept {
        return take(out, [&](::guira **made) { return ::guira_clone(filter_, made); });
    }
    [[nodiscard]] std::error_code merge(const filter &from) noexcept {
        return error(::guira_merge(filter_, from.filter_));
    }
    [[nodiscard]] std::error_code merge_unique(const filter &from) noexcept {
        return error(::guira_merge_unique(filter_, from.filter_));
    }

    /* ---- Files ---- */
    [[nodiscard]] std::error_code save(const char *path,
                                       const save_options *how = nullptr) const noexcept {
        return error(::guira_save_file(filter_, how, path));
    }
    [[nodiscard]] static std::error_code load(const char *path, filter &out,
                                              const load_options *how = nullptr) noexcept {
        return take(out, [&](::guira **made) { return ::guira_load_file(how, path, made); });
    }
    [[nodiscard]] static std::error_code map(const char *path, filter &out,
                                             const load_options *how = nullptr) noexcept {
        return take(out, [&](::guira **made) { return ::guira_map_file(how, path, made); });
    }
    /* As the constructor, without exceptions. */
    [[nodiscard]] static std::error_code create(const options &wanted, filter &out) noexcept {
        const ::guira_options in_c = wanted.in_c();
        return take(out, [&](::guira **made) { return ::guira_create(&in_c, made); });
    }

  private:
    /* `out` is what it was unless all went well. */
    template <class Make> static std::error_code take(filter &out, Make make) noexcept {
        ::guira *made = nullptr;
        status result = make(&made);
        if (result == GUIRA_OK) {
            out = filter(made);
        }
        return error(result);
    }

    ::guira *filter_ = nullptr;
};

/* The place of the filter that serves, or none. Filters that have or had it are C pointers here, as
 * the end of a scope must not destroy them: late readers may be in them, see guira/seat.h. */
class seat {
  public:
    seat() noexcept = default;
    /* Takes the filter over; if it throws, the filter stays where it is. */
    explicit seat(filter &&first) {
        std::error_code made = create(std::move(first), *this);
        if (made) {
            throw std::system_error(made, "guirapp::seat");
        }
    }
    seat(seat &&other) noexcept : seat_(std::exchange(other.seat_, nullptr)) {
    }
    seat &operator=(seat &&other) noexcept {
        seat moved(std::move(other));
        std::swap(seat_, moved.seat_);
        return *this;
    }
    seat(const seat &) = delete;
    seat &operator=(const seat &) = delete;
    ~seat() {
        ::guira_seat_destroy(seat_);
    }
    /* As the constructor, without exceptions. */
    [[nodiscard]] static std::error_code create(filter &&first, seat &out) noexcept {
        seat made;
        status result = ::guira_seat_create(first.get(), &made.seat_);
        if (result == GUIRA_OK) {
            (void)first.release();
            out = std::move(made);
        }
        return error(result);
    }

    ::guira_seat *get() const noexcept {
        return seat_;
    }
    explicit operator bool() const noexcept {
        return seat_ != nullptr;
    }
    ::guira *serving() const noexcept {
        return ::guira_seat_filter(seat_);
    }
    bool contains(bytes key) const noexcept {
        return ::guira_seat_contains(seat_, key.data(), key.size());
    }
    template <class Integer, std::enable_if_t<is_integer_key<Integer>, int> = 0>
    bool contains(Integer key) const noexcept {
        return ::guira_seat_contains_u64(seat_, static_cast<std::uint64_t>(key));
    }
    [[nodiscard]] std::error_code replace(::guira *next, ::guira *&old) noexcept {
        return error(::guira_seat_replace(seat_, next, &old));
    }
    /* Takes `next` over, unless it fails. */
    [[nodiscard]] std::error_code replace(filter &&next, ::guira *&old) noexcept {
        std::error_code failed = replace(next.get(), old);
        if (!failed) {
            (void)next.release();
        }
        return failed;
    }
    std::error_code retire(::guira *old) noexcept {
        return error(::guira_seat_retire(seat_, old));
    }

  private:
    ::guira_seat *seat_ = nullptr;
};

} // namespace guirapp

/* A guira_status is an error_code: if (std::error_code e = filter.insert("key")) ... */
template <> struct std::is_error_code_enum<::guira_status> : std::true_type {};
inline std::error_code make_error_code(::guira_status value) noexcept {
    return guirapp::error(value);
}

#endif
#endif
