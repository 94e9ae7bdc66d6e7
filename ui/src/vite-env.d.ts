/// <reference types="vite/client" />

/** True in development and test builds, where `?fake=<scenario>` selects the fake backend. */
declare const __FAKE_BACKEND__: boolean;
