#include <guira/guira.h>
#include <stdio.h>

int main(void) {
    struct guira_options options = {.capacity = 1000000, .false_positive_rate = 0.01};
    struct guira *nest = NULL;
    enum guira_status status = guira_create(&options, &nest);
    if (status == GUIRA_OK) {
        status = guira_insert(nest, "guira", 5); /* from any number of threads at once */
    }
    if (status == GUIRA_OK) {
        printf("guira: %s\n", guira_contains(nest, "guira", 5) ? "probably" : "no");
        printf("wren: %s\n", guira_contains(nest, "wren", 4) ? "probably" : "no");
        status = guira_remove(nest, "guira", 5);
    }
    if (status != GUIRA_OK) {
        fprintf(stderr, "%s\n", guira_status_text(status));
    }
    guira_destroy(nest);
    return status == GUIRA_OK ? 0 : 1;
}
