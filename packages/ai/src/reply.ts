import type { Manner } from './structure.ts';

/** Model endpoint; `key` null if unauthenticated. `allowedOrigins`: origins that need not be public. */
export type AiAddress = {
  baseUrl: string;
  model: string;
  key: string | null;
  allowedOrigins: readonly string[];
};

export type Usage = { in: number; out: number };

/** Sentences are for operators. */
export type AiReply =
  /** `pauseMs`: the service takes no other request for this time. */
  | { kind: 'answer'; text: string; usage: Usage | null; pauseMs: number | null }
  /** The answer did not fit into its tokens, or the request into the model. */
  | { kind: 'cut'; usage: Usage | null }
  | { kind: 'declined'; usage: Usage | null }
  /** The service refuses requests of this manner, but may take this one. */
  | { kind: 'manner'; manner: Manner }
  | { kind: 'quota'; waitMs: number | null }
  /** No other request can succeed before a person has changed something. */
  | { kind: 'trouble'; sentence: string }
  | { kind: 'failure'; sentence: string }
  | { kind: 'stopped' };
