import type { AuthExchange, AuthProblem, AuthView, GrantView, ServerId, SignInPrompt } from "../bindings";
import * as known from "./authSteps";
import type { FakeStep } from "./authSteps";
import type { FakeChannel } from "./channel";
import { fail } from "./fail";

/** How a simulated authorization server behaves. */
export interface AuthTraits {
  /** Connecting waits for a sign-in. */
  readonly required: boolean;
  /** What is wrong with it. */
  readonly problem: "issuer_mismatch" | "no_pkce" | null;
  /** What the user in the browser does, soon after it opened. */
  readonly user: "signs_in" | "waits" | "refuses";
  /** Sonde can receive the browser's answer. */
  readonly listening: boolean;
  readonly kept: "keyring" | "memory";
  /** How long a token is valid, in ms; `null` if that is not said. */
  readonly lifetime: number | null;
  readonly refreshable: boolean;
  readonly revocable: boolean;
  readonly warnings: readonly string[];
}

const plainAuthTraits: AuthTraits = {
  required: true,
  problem: null,
  user: "signs_in",
  listening: true,
  kept: "keyring",
  lifetime: 300_000,
  refreshable: true,
  revocable: true,
  warnings: [],
};

const problems: Readonly<Record<"issuer_mismatch" | "no_pkce" | "cancelled" | "refused", AuthProblem>> = {
  issuer_mismatch: {
    code: "issuer_mismatch",
    title: "The authorization server is not the one that the server named.",
    cause: "Its metadata say https://login.example.net, but they were asked for at login.example.com.",
    advice: [
      "Do not sign in: whoever answers there may be somebody else.",
      "If this is your own server, make “issuer” in its metadata the address that clients use.",
    ],
    detail: 'expected issuer "https://login.example.com/tenants/harbour"\ngot      issuer "https://login.example.net"',
    spec: {
      name: "Authorization: authorization server metadata",
      url: "https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#authorization-server-metadata-discovery",
    },
  },
  no_pkce: {
    code: "no_pkce",
    title: "The authorization server does not advertise PKCE.",
    cause: "Without it, whoever gets hold of the code can use it.",
    advice: [
      "Ask its operator for “code_challenge_methods_supported” with S256.",
      "To test without it, allow it in the server's settings under “Authentication”.",
    ],
    detail: "code_challenge_methods_supported is missing",
    spec: {
      name: "Authorization: authorization code protection",
      url: "https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#authorization-code-protection",
    },
  },
  cancelled: {
    code: "cancelled",
    title: "You cancelled the sign-in.",
    cause: "",
    advice: ["Sign in when you are ready."],
    detail: null,
    spec: null,
  },
  refused: {
    code: "refused",
    title: "The sign-in was denied in the browser.",
    cause: "The authorization server said: access_denied.",
    advice: ["Sign in with an account that may use this server."],
    detail: "error=access_denied&error_description=The+user+said+no",
    spec: null,
  },
};

const pause = 120;

/** The simulated sign-in to one server. */
export class FakeAuth {
  view: AuthView;
  private readonly exchanges = new Map<number, AuthExchange>();
  private readonly channel: FakeChannel;
  readonly traits: AuthTraits;
  private nextStep = 1;
  private nextAttempt = 1;
  /** Grows whenever what is under way has no say any more. */
  private round = 0;
  private onDone: (() => void)[] = [];
  private onFailed: ((problem: AuthProblem) => void)[] = [];
  private scopes: string[] = ["ships:read", "ships:write"];

  constructor(channel: FakeChannel, server: ServerId, traits: Partial<AuthTraits> = {}) {
    this.channel = channel;
    this.traits = { ...plainAuthTraits, ...traits };
    this.view = {
      server,
      state: "signed_out",
      grant: null,
      prompt: null,
      problem: null,
      waiting: 0,
      steps: [],
      wrong_token: false,
    };
  }

  change(change: Partial<AuthView>): void {
    this.view = { ...this.view, ...change };
    this.channel.send({ type: "auth", data: this.view });
  }

  exchange(step: number): AuthExchange {
    return this.exchanges.get(step) ?? fail("not_found", "The request of this step is no longer stored.");
  }

  /** Signs in; `done` once there is a token, `failed` when there will be none. */
  signIn(reason: string, done?: () => void, failed?: (problem: AuthProblem) => void): void {
    if (done) this.onDone.push(done);
    if (failed) this.onFailed.push(failed);
    const { problem } = this.traits;
    this.change({ state: "discovering", problem: null, prompt: null });
    this.walk(
      [
        known.refused,
        known.resourceMetadata,
        known.serverMetadataMissing,
        known.serverMetadata(problem),
        ...(problem ? [] : [known.registration]),
      ],
      () => (problem ? this.failed(problems[problem]) : this.ask(reason, [])),
    );
  }

  /** An operation needs a scope that was not granted. */
  stepUp(scope: string, done: () => void, failed: (problem: AuthProblem) => void): void {
    this.onDone.push(done);
    this.onFailed.push(failed);
    this.step(known.scopeRefused);
    this.scopes = [...this.scopes, scope];
    this.change({ waiting: 1 });
    this.ask(`The server requires the scope ${scope} for the tool “Say hello”.`, [scope]);
  }

  /** Has a token at once, with the whole story before it. */
  grantNow(): void {
    for (const step of [
      known.refused,
      known.resourceMetadata,
      known.serverMetadataMissing,
      known.serverMetadata(null),
      known.registration,
      known.authorization,
      known.callback,
      known.token,
    ]) {
      this.step(step);
    }
    this.step(known.saved(this.traits.kept));
    this.granted({ refreshed: 0 });
  }

  open(attempt: number): void {
    const prompt = this.prompt(attempt);
    this.change({ state: "browser", prompt: { ...prompt, opened: true } });
    const round = this.round;
    if (!this.traits.listening || this.traits.user === "waits") return;
    setTimeout(() => {
      if (this.round !== round) return;
      if (this.traits.user === "refuses") this.failed(problems.refused);
      else this.cameBack();
    }, 1500);
  }

  paste(attempt: number, address: string): void {
    const prompt = this.prompt(attempt);
    if (!address.startsWith(prompt.redirect_uri)) {
      fail("invalid_input", `This is not the redirect URL: it starts with ${prompt.redirect_uri}.`);
    }
    if (!address.includes("code="))
      fail("invalid_input", "There is no code in this URL. Copy all of it.", "It has neither `code` nor `error`.");
    this.cameBack();
  }

  registerAgain(attempt: number): void {
    const { reason } = this.prompt(attempt);
    this.step(known.unknownClient);
    this.step(known.registration);
    this.ask(reason, []);
  }

  cancel(): void {
    this.step(known.cancelledStep);
    this.failed(problems.cancelled);
  }

  refresh(): void {
    const { grant } = this.view;
    if (!grant) return fail("invalid_input", "There is no token to refresh.");
    this.change({ state: "refreshing" });
    this.walk([known.refresh, known.saved(this.traits.kept)], () => this.granted({ refreshed: grant.refreshed + 1 }));
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

  private prompt(attempt: number): SignInPrompt {
    const { prompt } = this.view;
    return prompt?.attempt === attempt ? prompt : fail("not_found", "This sign-in has ended. Sign in again.");
  }

  private ask(reason: string, added: readonly string[]): void {
    this.round++;
    this.step(known.authorization);
    const redirect = "http://127.0.0.1:43119/callback";
    const query = new URLSearchParams({
      response_type: "code",
      client_id: "sonde-7f3a",
      redirect_uri: redirect,
      scope: this.scopes.join(" "),
      // Another one each time, as it has to be.
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
        client_id: "sonde-7f3a",
        client_kind: "registered",
        scopes: [...this.scopes],
        new_scopes: [...added],
        redirect_uri: redirect,
        listening: this.traits.listening,
        opened: false,
        expires_at: Date.now() + 300_000,
        warnings: [...this.traits.warnings],
      },
    });
  }

  private cameBack(): void {
    this.change({ state: "exchanging", prompt: null });
    const refreshed = this.view.grant?.refreshed ?? 0;
    this.walk([known.callback, known.token, known.saved(this.traits.kept)], () => this.granted({ refreshed }));
  }

  private granted(given: Pick<GrantView, "refreshed">): void {
    const { kept, lifetime, refreshable, revocable } = this.traits;
    const marks = ["3a6e", "b702", "77d1", "04fc"];
    const mark = (shift: number): string => marks[(given.refreshed + shift) % marks.length] ?? "3a6e";
    this.change({
      state: "signed_in",
      prompt: null,
      problem: null,
      waiting: 0,
      grant: {
        issuer: known.issuer,
        resource: known.resource,
        client_id: "sonde-7f3a",
        client_kind: "registered",
        scopes: [...this.scopes],
        token_type: "Bearer",
        token_mark: mark(0),
        refresh_mark: refreshable ? mark(2) : null,
        granted_at: Date.now(),
        expires_at: lifetime === null ? null : Date.now() + lifetime,
        refreshed: given.refreshed,
        kept,
        revocable,
      },
    });
    const done = this.onDone;
    this.onDone = [];
    this.onFailed = [];
    for (const each of done) each();
  }

  private failed(problem: AuthProblem): void {
    this.round++;
    this.change({ state: "failed", prompt: null, problem, waiting: 0 });
    const failed = this.onFailed;
    this.onDone = [];
    this.onFailed = [];
    for (const each of failed) each(problem);
  }

  /** Makes steps one after the other, each under way for a moment. */
  private walk(steps: readonly FakeStep[], then: () => void): void {
    const round = ++this.round;
    const next = (index: number): void => {
      if (this.round !== round) return;
      const step = steps[index];
      if (!step) {
        then();
        return;
      }
      const number = this.step({ ...step, state: "running" });
      setTimeout(() => {
        if (this.round !== round) return;
        this.finish(number, step);
        next(index + 1);
      }, pause);
    };
    next(0);
  }

  step(step: FakeStep): number {
    const number = this.nextStep++;
    const running = step.state === "running";
    if (step.exchange) this.exchanges.set(number, step.exchange);
    this.change({
      steps: [
        ...this.view.steps,
        {
          step: number,
          at: Date.now(),
          millis: running ? null : 18 + ((number * 37) % 90),
          code: step.code,
          title: step.title,
          state: step.state ?? ("done" as const),
          sentence: running ? "" : step.sentence,
          has_exchange: step.exchange !== undefined && !running,
          spec: step.spec ?? null,
        },
      ].slice(-100),
    });
    return number;
  }

  private finish(number: number, step: FakeStep): void {
    this.change({
      steps: this.view.steps.map((each) =>
        each.step === number
          ? {
              ...each,
              state: step.state ?? "done",
              millis: 18 + ((number * 37) % 90),
              sentence: step.sentence,
              has_exchange: step.exchange !== undefined,
            }
          : each,
      ),
    });
  }
}
