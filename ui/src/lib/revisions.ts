/** The revisions of the protocol that Sonde speaks, newest first. */
export const revisions: readonly string[] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
