//! Data that was not read or not kept because there was too much of it.

rules! {
    MORE_FINDINGS = "more-findings", Info,
        "There are {count} more findings, which are not kept.",
        why: "What is not kept is probably more of the same.",
        fix: "Correct the ones that are shown first.",
        group: Limits;
    LIST_TOO_LONG = "list-too-long", Warning,
        "The list has more than {limit} items; the rest was not read.",
        why: "Users and models cannot choose from this many items.",
        fix: "Offer fewer items, or a tool that searches them.",
        group: Limits;
    LIST_TOO_LARGE = "list-too-large", Warning,
        "The items of the list take more than {limit} MiB; the rest was not read.",
        why: "Definitions of this size do not fit into the context of a model.",
        fix: "Shorten descriptions and schemas.",
        group: Limits;
    CATALOGS_TOO_LARGE = "catalogs-too-large", Warning,
        "The lists of all servers share {limit} MiB of memory, and one server gets at most half of what the others leave; the rest of this list was not read.",
        why: "What was not read cannot be used in this connection.",
        fix: "Disconnect other servers, or shorten descriptions and schemas.",
        group: Limits;
    NO_NEW_ITEMS = "no-new-items", Warning,
        "The last {limit} pages of the list had no new item; the rest was not read.",
        why: "A client that follows every cursor never ends reading the list.",
        fix: "Leave `nextCursor` out on the last page.",
        spec: "Pagination" => "2025-11-25/server/utilities/pagination";
    MANY_PAGES = "many-pages", Info,
        "The list has {count} pages, which clients can only read one after another.",
        why: "Each page costs a round trip, so clients wait long for the list.",
        fix: "Put more items on each page.",
        group: Limits;
    LIST_CHANGES_TOO_OFTEN = "list-changes-too-often", Warning,
        "The server reports a change of the list after every reading; Sonde waits {seconds} seconds before the next one.",
        why: "Each notification makes every client read the list again.",
        fix: "Announce changes less often, and only when the list has changed.",
        group: Limits;
    TOO_MANY_ARGUMENTS = "too-many-arguments", Warning,
        "The prompt has {count} arguments; the first {limit} were read.",
        why: "No user fills in this many arguments.",
        fix: "Ask for fewer arguments.",
        group: Limits;
    EVENT_ID_TOO_LONG = "event-id-too-long", Warning,
        "The event id has {size} bytes; streams are resumed from ids of {limit} at most.",
        why: "Sonde would send it back in a header, where such lengths are refused by many servers and proxies.",
        fix: "Make event ids short.",
        group: Limits;
    ID_TOO_LONG = "id-too-long", Warning,
        "The `id` has {size} bytes; Sonde responds to requests whose `id` has {limit} at most.",
        why: "The response would have to repeat the id.",
        fix: "Use short ids, such as counters.",
        group: Limits;
}
