//! Peers that attack: what each can do at most, and what the user reads about it.

mod schemas;
