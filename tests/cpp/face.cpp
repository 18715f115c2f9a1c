/*
 * Verifies guira.hpp: ownership, the forms of keys, statuses as error codes, files. Built as C++17
 * and as C++20.
 *
 *     face FOLDER
 */
#include <guira/guira.hpp>

#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

int failures = 0;

void check(bool good, const char *what, int line) {
    if (!good) {
        std::printf("%s:%d: %s\n", __FILE__, line, what);
        failures++;
    }
}

#define CHECK(condition) check(condition, #condition, __LINE__)

static_assert(!std::is_copy_constructible_v<guirapp::filter>);
static_assert(!std::is_copy_assignable_v<guirapp::filter>);
static_assert(std::is_nothrow_move_constructible_v<guirapp::filter>);
static_assert(std::is_nothrow_move_assignable_v<guirapp::filter>);
static_assert(noexcept(std::declval<const guirapp::filter &>().contains("key")));
static_assert(noexcept(std::declval<const guirapp::filter &>().contains(1)));
static_assert(std::is_error_code_enum_v<guira_status>);
static_assert(!std::is_copy_constructible_v<guirapp::seat>);
static_assert(std::is_nothrow_move_constructible_v<guirapp::seat>);
static_assert(std::is_nothrow_move_assignable_v<guirapp::seat>);

/* Which types can be keys. */
[[maybe_unused]] const auto calls_on_keys =
    [](auto &f, auto key) -> decltype(f.insert(key), f.insert_unique(key), f.contains(key),
                                      f.remove(key), f.count(key)) { return f.count(key); };
template <class Key>
constexpr bool is_key = std::is_invocable_v<decltype(calls_on_keys), guirapp::filter &, Key>;
[[maybe_unused]] const auto asks_a_seat = [](auto &s, auto key) -> decltype(s.contains(key)) {
    return s.contains(key);
};
template <class Key>
constexpr bool can_be_asked = std::is_invocable_v<decltype(asks_a_seat), guirapp::seat &, Key>;
static_assert(is_key<int> && is_key<std::uint8_t> && is_key<std::int64_t> && is_key<const char *>);
static_assert(!is_key<std::nullptr_t> && !is_key<bool> && !is_key<char> && !is_key<wchar_t>);
static_assert(!is_key<char16_t> && !is_key<char32_t> && !is_key<double> && !is_key<int *>);
#if defined(__cpp_char8_t)
static_assert(!is_key<char8_t>);
#endif
static_assert(can_be_asked<int> && can_be_asked<const char *>);
static_assert(!can_be_asked<bool> && !can_be_asked<char> && !can_be_asked<std::nullptr_t>);

guirapp::filter small() {
#if __cplusplus >= 202002L
    return guirapp::filter({.capacity = 1000, .false_positive_rate = 0.001, .seed = 1});
#else
    guirapp::options options;
    options.capacity = 1000;
    options.false_positive_rate = 0.001;
    options.seed = 1;
    return guirapp::filter(options);
#endif
}

void keys_have_all_their_forms() {
    guirapp::filter f = small();
    const std::string text = "text";
    CHECK(f.insert(text) == GUIRA_OK);
    CHECK(f.contains("text") && f.contains(std::string_view("text")) && f.contains(text));
    CHECK(guira_contains(f.get(), "text", 4));
    CHECK(f.insert("") == GUIRA_OK && f.contains(std::string()));
    CHECK(f.insert(guirapp::bytes("a\0b", 3)) == GUIRA_OK);
    CHECK(f.contains(std::string_view("a\0b", 3)) && !f.contains("a"));
    CHECK(f.insert(-1) == GUIRA_OK && f.contains(UINT64_MAX) && f.contains(-1L));
    CHECK(f.insert(std::uint8_t{120}) == GUIRA_OK && f.contains(120));
    CHECK(f.insert_unique("text") == GUIRA_EXISTS && f.count(text) == 1);
    CHECK(f.insert_unique(120u) == GUIRA_EXISTS && f.count(120) == 1);
    CHECK(f.size() == 5);
    CHECK(f.remove(text) == GUIRA_OK && f.remove("text") == GUIRA_NOT_FOUND);
    CHECK(f.remove(120) == GUIRA_OK && !f.contains(120));
#if defined(__cpp_lib_span)
    const std::array<std::byte, 2> raw{std::byte{7}, std::byte{0}};
    const std::vector<unsigned char> same{7, 0};
    CHECK(f.insert(std::span<const std::byte>(raw)) == GUIRA_OK);
    CHECK(f.contains(std::span<const unsigned char>(same)));
#endif
    CHECK(f.clear() == GUIRA_OK && f.size() == 0);
}

void batches_answer_each_key() {
    guirapp::filter f = small();
    const std::array<std::uint64_t, 3> ids{1, 2, 3};
    std::array<guira_status, 3> done{};
    std::array<bool, 3> found{};
    std::array<unsigned, 3> copies{};
    CHECK(f.insert(guira_keys_u64(ids.data(), 2), done.data()) == GUIRA_OK);
    CHECK(f.insert_unique(guira_keys_u64(ids.data(), 2), done.data()) == GUIRA_PARTIAL);
    CHECK(f.contains(guira_keys_u64(ids.data(), 3), found.data()) == GUIRA_OK);
    CHECK(found[0] && found[1] && !found[2]);
    CHECK(f.count(guira_keys_u64(ids.data(), 3), copies.data()) == GUIRA_OK && copies[1] == 1);
    CHECK(f.remove(guira_keys_u64(ids.data(), 3), done.data()) == GUIRA_PARTIAL);
    CHECK(done[2] == GUIRA_NOT_FOUND);
}

void a_filter_has_one_owner() {
    guirapp::filter a = small();
    CHECK(a.insert(1) == GUIRA_OK);
    guirapp::filter b = std::move(a);
    CHECK(!a && b && b.contains(1)); /* NOLINT(bugprone-use-after-move): it is none, by contract */
    CHECK(!a.contains(1) && a.size() == 0 && a.insert(1) == GUIRA_NULL_ARGUMENT);
    a = std::move(b);
    guirapp::filter &same = a;
    a = std::move(same);
    CHECK(a && !b && a.contains(1));
    guirapp::filter taken(a.release());
    CHECK(!a && taken.contains(1));
    a = small();
    a = guirapp::filter();
    CHECK(!a);
    guirapp::filter copy;
    CHECK(!taken.clone(copy) && copy.contains(1) && taken.contains(1));
    CHECK(copy.insert(2) == GUIRA_OK && !taken.contains(2));
    CHECK(!taken.merge(copy) && taken.count(1) == 2 && taken.contains(2));
    CHECK(!taken.merge_unique(copy) && taken.count(1) == 2);
}

void statuses_are_error_codes() {
    std::error_code code = GUIRA_FULL;
    CHECK(code && code == GUIRA_FULL && code != GUIRA_LIMIT);
    CHECK(std::strcmp(code.category().name(), "guira") == 0);
    CHECK(code.message() == guira_status_text(GUIRA_FULL));
    CHECK(!std::error_code(GUIRA_OK));
    CHECK(std::error_code(GUIRA_NO_MEMORY) == std::errc::not_enough_memory);
    CHECK(std::error_code(GUIRA_IO_FAILED) == std::errc::io_error);
    CHECK(std::error_code(GUIRA_READ_ONLY) == std::errc::operation_not_permitted);
    try {
        guirapp::filter impossible(guirapp::options{});
        CHECK(false);
    } catch (const std::system_error &e) {
        CHECK(e.code() == GUIRA_BAD_CAPACITY);
    }
    guirapp::filter f = small();
    CHECK(guirapp::filter::create(guirapp::options{}, f) == GUIRA_BAD_CAPACITY && f);
    guirapp::info info;
    CHECK(!f.get_info(info) && info.seed == 1 && f.capacity() == 1000);
    CHECK(guirapp::filter().get_info(info) == GUIRA_NULL_ARGUMENT);
}

void the_whole_can_be_asked_and_sized() {
    guirapp::options growing;
    growing.capacity = 1000;
    growing.max_capacity = 1'000'000;
    growing.false_positive_rate = 0.01;
    guirapp::sizing at_first;
    CHECK(!guirapp::filter::size_for(growing, at_first) && at_first.capacity >= 1000);
    CHECK(guirapp::filter::size_for(guirapp::options{}, at_first) == GUIRA_BAD_CAPACITY);
    guirapp::filter f(growing);
    guirapp::info info;
    CHECK(f.reserve(100'000) == GUIRA_OK && !f.get_info(info));
    const std::uint64_t reserved = info.sizing.buckets;
    CHECK(reserved > at_first.buckets);
    /* What moves entries from table to table are changes. */
    for (int key = 0; key < 20'000; key++) {
        CHECK(key != 10'000 || f.shrink() == GUIRA_OK);
        CHECK(f.insert(key) == GUIRA_OK && f.remove(key) == GUIRA_OK);
    }
    CHECK(!f.get_info(info) && info.sizing.buckets < reserved);
    unsigned invariant = 1;
    CHECK(!f.check(&invariant) && invariant == 0 && !f.check() && !f.verify());
    CHECK(guirapp::filter().check() == GUIRA_NULL_ARGUMENT);
    CHECK(guirapp::filter().verify() == GUIRA_NULL_ARGUMENT);
}

void a_seat_owns_what_serves() {
    guirapp::filter first = small();
    guirapp::filter second = small();
    CHECK(first.insert("first") == GUIRA_OK && second.insert(2) == GUIRA_OK);
    guirapp::seat seat(std::move(first));
    CHECK(seat && !first); /* NOLINT(bugprone-use-after-move): it is none, by contract */
    CHECK(seat.contains("first") && !seat.contains(2));
    guira *const before = seat.serving();
    guira *old = nullptr;
    CHECK(seat.replace(guirapp::filter(), old) == GUIRA_NULL_ARGUMENT && old == nullptr);
    CHECK(!seat.replace(std::move(second), old) && !second && old == before);
    CHECK(seat.contains(2) && !seat.contains("first"));
    CHECK(seat.replace(seat.serving(), old) == GUIRA_CONFLICT && old == before);
    guira *newer = nullptr;
    CHECK(!seat.replace(old, newer) && seat.contains("first"));
    CHECK(!seat.retire(newer) && seat.retire(newer) == GUIRA_CONFLICT);
    guirapp::seat moved = std::move(seat);
    CHECK(!seat && moved && moved.get() != nullptr && moved.serving() == before);
    CHECK(!seat.contains("first") && seat.serving() == nullptr);
    moved = guirapp::seat();
    CHECK(!moved);
    CHECK(guirapp::seat::create(guirapp::filter(), moved) == GUIRA_NULL_ARGUMENT && !moved);
    try {
        guirapp::seat impossible{guirapp::filter()};
        CHECK(false);
    } catch (const std::system_error &e) {
        CHECK(e.code() == GUIRA_NULL_ARGUMENT);
    }
}

void files_come_back(const std::string &folder) {
    const std::string path = folder + "/face" + std::to_string(__cplusplus) + ".guira";
    guirapp::filter f = small();
    CHECK(f.insert("key") == GUIRA_OK && !f.save(path.c_str()));
    guirapp::filter loaded;
    CHECK(!guirapp::filter::load(path.c_str(), loaded) && loaded.contains("key"));
    guirapp::filter mapped;
    CHECK(!guirapp::filter::map(path.c_str(), mapped) && mapped.contains("key"));
    CHECK(mapped.insert("other") == GUIRA_READ_ONLY);
    CHECK(std::remove(path.c_str()) == 0);
    CHECK(guirapp::filter::load(path.c_str(), loaded) == GUIRA_IO_FAILED && loaded.contains("key"));
}

} // namespace

int main(int argc, char **argv) {
    keys_have_all_their_forms();
    batches_answer_each_key();
    a_filter_has_one_owner();
    statuses_are_error_codes();
    the_whole_can_be_asked_and_sized();
    a_seat_owns_what_serves();
    files_come_back(argc > 1 ? argv[1] : ".");
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
