//! A scripted HTTP server.
