/*
 * The smallest program that uses guira: it shows that header and library fit together.
 */
#include <guira/guira.h>

#include <stdio.h>
#include <string.h>

int main(void) {
    struct guira_options options = {.capacity = 1000, .false_positive_rate = 0.01};
    struct guira *filter = NULL;
    enum guira_status status = guira_create(&options, &filter);
    if (status != GUIRA_OK) {
        (void)fprintf(stderr, "%s\n", guira_status_text(status));
        return 1;
    }
    const char *key = "kestrel";
    status = guira_insert(filter, key, strlen(key));
    bool found = guira_contains(filter, key, strlen(key));
    bool same_version = guira_version_number() == GUIRA_VERSION_NUMBER;
    guira_destroy(filter);
    return status == GUIRA_OK && found && same_version ? 0 : 1;
}
