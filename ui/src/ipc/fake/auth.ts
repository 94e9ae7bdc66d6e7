import type { AuthExchange, AuthProblem, AuthStep, AuthStatus, ServerId, SignInPrompt } from "../bindings";
import * as known from "./authSteps";
import type { FakeStep } from "./authSteps";
import type { FakeChannel } from "./channel";
import { fail } from "./fail";

/** Behaviour of a simulated authorization server. */
export interface AuthTraits {
  /** Connecting waits for a sign-in. */
  readonly required: boolean;
  /** The user signs in with the browser, or the client itself does and the user confirms its issuer. */
  readonly grant: "browser" | "client_secret";
  /** The authorization server is not the named one. */
  readonly mismatch: boolean;
  /** Action of the user in the browser, soon after it opened. */
  readonly user: "signs_in" | "waits";
  /** Sonde can receive the browser's response. */
  readonly listening: boolean;
  readonly kept: "keyring" | "memory";
  /** The authorization server never responds. */
  readonly silent: boolean;
  /** Lifetime of a token, in ms. */
  readonly lifetime: number;
  readonly refreshable: boolean;
  readonly revocable: boolean;
  readonly warnings: readonly string[];
}

const plainAuthTraits: AuthTraits = {
  required: true,
  grant: "browser",
  mismatch: false,
  user: "signs_in",
  listening: true,
  silent: false,
  kept: "keyring",
  lifetime: 300_000,
  refreshable: true,
  revocable: true,
  warnings: [],
};

const problems = {
  mismatch: {
    code: "issuer_mismatch",
    title: "The authorization server is not the one that the server named.",
    cause: "Its metadata say https://login.example.net, but they were asked for at login.example.com.",
    advice: [
      "Do not sign in: whoever answers there may be somebody else.",
      "If this is your own server, make “issuer” in its metadata the address that clients use.",
    ],
    detail: `expected issuer "${known.issuer}"\ngot      issuer "https://login.example.net"`,
    spec: known.ofServer,
  },
  cancelled: {
    code: "cancelled",
    title: "You cancelled the sign-in.",
    cause: "",
    advice: ["Sign in when you are ready."],
    detail: null,
    spec: null,
  },
} satisfies Readonly<Record<string, AuthProblem>>;

/** Duration of a step, in ms. */
const pause = 120;

/** The simulated sign-in to one server. */
export class FakeAuth {
  view: AuthStatus;
  readonly traits: AuthTraits;
  private readonly exchanges = new Map<number, AuthExchange>();
  private readonly channel: FakeChannel;
  private nextStep = 1;
  private nextAttempt = 1;
  /** Incremented whenever pending work becomes obsolete. */
  private round = 0;
  /**
   * Callbacks of requests waiting for the token: each gets `null` once the token exists, or the reason why there will
   * be none.
   */
  private waiting: ((problem: AuthProblem | null) => void)[] = [];
  private scopes: string[] = ["ships:read", "ships:write"];

  constructor(channel: FakeChannel, server: ServerId, traits: Partial<AuthTraits> = {}) {
    this.channel = channel;
    this.traits = { ...plainAuthTraits, ...traits };
    this.view = {
      server,
      state: "signed_out",
      grant: null,
      prompt: null,
      confirmation: null,
      problem: null,
      waiting: 0,
      steps: [],
      wrong_token: false,
    };
  }

  change(change: Partial<AuthStatus>): void {
    this.view = { ...this.view, ...change };
    this.channel.send({ type: "auth", data: this.view });
  }

  exchange(step: number): AuthExchange {
    return this.exchanges.get(step) ?? fail("not_found", "The request of this step is no longer stored.");
  }

  signIn(reason: string, done?: (problem: AuthProblem | null) => void): void {
    if (done) this.waiting.push(done);
    const { mismatch } = this.traits;
    this.change({ state: "discovering", problem: null, prompt: null, confirmation: null });
    this.walk(known.discover(mismatch), () => {
      if (mismatch) this.settle(problems.mismatch);
      else if (this.traits.grant === "client_secret") this.askIssuer();
      else this.ask(reason);
    });
  }

  /** Requests a scope that an operation needs and that was not granted. */
  stepUp(scope: string, done: (problem: AuthProblem | null) => void): void {
    this.waiting.push(done);
    this.step(known.scopeRefused);
    this.scopes = [...this.scopes, scope];
    this.change({ waiting: 1 });
    this.ask(`The server requires the scope ${scope} for the tool “Say hello”.`, [scope]);
  }

  /** Grants a token at once, with all steps recorded before it. */
  grantNow(): void {
    for (const step of [...known.discover(), known.authorization, ...known.redeem(this.traits.kept)]) {
      this.step(step);
    }
    this.grant(0);
  }

  open(attempt: number): void {
    const prompt = this.prompt(attempt);
    this.change({ state: "browser", prompt: { ...prompt, opened: true } });
    const { listening, user } = this.traits;
    if (listening && user === "signs_in") this.later(1500, () => this.redeem());
  }

  paste(attempt: number, address: string): void {
    this.prompt(attempt);
    if (!address.startsWith(known.redirect)) {
      fail("invalid_input", `This is not the redirect URL: it starts with ${known.redirect}.`);
    }
    if (!address.includes("code=")) {
      fail("invalid_input", "There is no code in this URL. Copy all of it.", "It has neither `code` nor `error`.");
    }
    this.redeem();
  }

  registerAgain(attempt: number): void {
    const { reason } = this.prompt(attempt);
    this.step(known.unknownClient);
    this.step(known.registration);
    this.ask(reason);
  }

  cancel(): void {
    this.step(known.cancelled);
    this.settle(problems.cancelled);
  }

  refresh(): void {
    const refreshed = this.view.grant?.refreshed ?? fail("invalid_input", "There is no token to refresh.");
    this.change({ state: "refreshing" });
    this.walk([known.refresh, known.saved(this.traits.kept)], () => this.grant(refreshed + 1));
  }

  signOut(): void {
    this.round++;
    this.step(known.revocation);
    this.change({ state: "signed_out", grant: null, prompt: null, problem: null, wrong_token: false });
  }

  expire(): void {
    const { grant } = this.view;
    if (grant) this.change({ grant: { ...grant, expires_at: Date.now() - 1 } });
  }

  /** Records a step with its request. */
  step(step: FakeStep): number {
    const number = this.nextStep++;
    this.change({ steps: [...this.view.steps, this.shown(number, step)].slice(-100) });
    return number;
  }

  private shown(number: number, { exchange, ...step }: FakeStep, at = Date.now()): AuthStep {
    if (exchange) this.exchanges.set(number, exchange);
    const millis = step.state === "running" ? null : 18 + ((number * 37) % 90);
    return { ...step, step: number, at, millis, has_exchange: exchange !== undefined };
  }

  confirm(attempt: number): void {
    if (this.view.confirmation?.attempt !== attempt) fail("not_found", "This sign-in has ended. Sign in again.");
    this.redeem();
  }

  private askIssuer(): void {
    this.round++;
    this.change({
      state: "confirmation",
      confirmation: {
        attempt: this.nextAttempt++,
        issuer: known.issuer,
        token_endpoint: `${known.issuer}/token`,
        credential: "the client secret",
        client_id: "harbour-reports",
        resource: known.resource,
        scopes: this.scopes,
        warnings: [...this.traits.warnings],
        expires_at: Date.now() + 600_000,
      },
    });
  }

  private prompt(attempt: number): SignInPrompt {
    const { prompt } = this.view;
    return prompt?.attempt === attempt ? prompt : fail("not_found", "This sign-in has ended. Sign in again.");
  }

  private ask(reason: string, added: string[] = []): void {
    this.round++;
    this.step(known.authorization);
    const query = new URLSearchParams({
      response_type: "code",
      client_id: known.client,
      redirect_uri: known.redirect,
      scope: this.scopes.join(" "),
      // The state differs in each attempt, as required.
      state: `8f14e45fceea167a5a36dedd4bea25${String(this.nextAttempt).padStart(2, "0")}`,
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
      resource: known.resource,
    });
    this.change({
      state: "prompt",
      prompt: {
        attempt: this.nextAttempt++,
        reason,
        url: `https://login.example.com/authorize?${query.toString()}`,
        host: "login.example.com",
        issuer: known.issuer,
        resource: known.resource,
        client_id: known.client,
        client_kind: "registered",
        scopes: this.scopes,
        new_scopes: added,
        redirect_uri: known.redirect,
        listening: this.traits.listening,
        opened: false,
        expires_at: Date.now() + 300_000,
        warnings: [...this.traits.warnings],
      },
    });
  }

  private redeem(): void {
    this.change({ state: "exchanging", prompt: null, confirmation: null });
    this.walk(known.redeem(this.traits.kept), () => this.grant(this.view.grant?.refreshed ?? 0));
  }

  private grant(refreshed: number): void {
    const { kept, lifetime, refreshable, revocable } = this.traits;
    this.change({
      grant: {
        issuer: known.issuer,
        resource: known.resource,
        client_id: known.client,
        client_kind: "registered",
        scopes: this.scopes,
        token_type: "Bearer",
        token_fingerprint: "3a6e",
        refresh_fingerprint: refreshable ? "77d1" : null,
        granted_at: Date.now(),
        expires_at: Date.now() + lifetime,
        refreshed,
        kept,
        revocable,
      },
    });
    this.settle(null);
  }

  private settle(problem: AuthProblem | null): void {
    this.round++;
    const state = problem ? "failed" : "signed_in";
    this.change({ state, prompt: null, confirmation: null, problem, waiting: 0 });
    const { waiting } = this;
    this.waiting = [];
    for (const each of waiting) each(problem);
  }

  /** Runs steps in order, each in progress for a moment. */
  private walk([step, ...others]: readonly FakeStep[], then: () => void): void {
    this.round++;
    if (!step) return then();
    const { exchange: _, ...begun } = step;
    const number = this.step({ ...begun, state: "running", sentence: "" });
    if (this.traits.silent) return;
    this.later(pause, () => {
      const steps = this.view.steps.map((each) => (each.step === number ? this.shown(number, step, each.at) : each));
      this.change({ steps });
      this.walk(others, then);
    });
  }

  /** Runs a function after a delay, unless the sign-in was restarted meanwhile. */
  private later(millis: number, run: () => void): void {
    const { round } = this;
    setTimeout(() => this.round === round && run(), millis);
  }
}
