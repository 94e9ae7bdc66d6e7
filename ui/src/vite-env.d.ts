/// <reference types="vite/client" />

/** True in development and test builds, where `?fake=<scenario>` selects the fake backend. */
declare const __FAKE_BACKEND__: boolean;

/** React's own scheduler, which has no types. */
declare module "scheduler" {
  export const unstable_IdlePriority: number;
  export function unstable_scheduleCallback(priority: number, run: () => void): { readonly id: number };
}
