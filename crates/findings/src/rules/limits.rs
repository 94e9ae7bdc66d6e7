//! What was not read or not kept because there was too much of it.

rules! {
    MORE_FINDINGS = "more-findings", Info, "There are {count} more findings, which are not kept.";
    LIST_TOO_LONG = "list-too-long", Warning,
        "The list has more than {limit} items; the rest was not read.";
    LIST_TOO_LARGE = "list-too-large", Warning,
        "The items of the list take more than {limit} MiB; the rest was not read.";
    CATALOGS_TOO_LARGE = "catalogs-too-large", Warning,
        "The lists of all servers have {limit} MiB of memory, one server at most half of what the others leave; the rest of this list was not read.";
    NO_NEW_ITEMS = "no-new-items", Warning,
        "The last {limit} pages of the list had no new item; the rest was not read.";
    MANY_PAGES = "many-pages", Info,
        "The list has {count} pages; from page {limit} on, Sonde paused between them.";
    LIST_CHANGES_TOO_OFTEN = "list-changes-too-often", Warning,
        "The server reports a change of the list after every reading; Sonde waits {seconds} seconds before the next one.";
    TOO_MANY_ARGUMENTS = "too-many-arguments", Warning,
        "The prompt has {count} arguments; the first {limit} were read.";
    EVENT_ID_TOO_LONG = "event-id-too-long", Warning,
        "The event id has {size} bytes; streams are resumed from ids of {limit} at most.";
    ID_TOO_LONG = "id-too-long", Warning,
        "The `id` has {size} bytes; Sonde responds to requests whose `id` has {limit} at most.";
}
