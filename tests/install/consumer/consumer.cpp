// As consumer.c, in C++17.
#include <guira/guira.h>

#include <iostream>
#include <memory>
#include <string_view>

int main() {
    guira_options options{};
    options.capacity = 1000;
    options.false_positive_rate = 0.01;
    guira *made = nullptr;
    guira_status status = guira_create(&options, &made);
    if (status != GUIRA_OK) {
        std::cerr << guira_status_text(status) << '\n';
        return 1;
    }
    std::unique_ptr<guira, decltype(&guira_destroy)> filter(made, guira_destroy);
    std::string_view key = "kestrel";
    status = guira_insert(filter.get(), key.data(), key.size());
    bool found = guira_contains(filter.get(), key.data(), key.size());
    bool same_version = guira_version_number() == GUIRA_VERSION_NUMBER;
    return status == GUIRA_OK && found && same_version ? 0 : 1;
}
