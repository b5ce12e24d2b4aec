import type { Manner } from './structure.ts';

/** Where a model is asked; `key` null: none is needed. `allowedOrigins`: origins that need not be public. */
export type AiAddress = {
  baseUrl: string;
  model: string;
  key: string | null;
  allowedOrigins: readonly string[];
};

/** Tokens as the service counts them. */
export type Usage = { in: number; out: number };

/** What came of a request. Sentences are for operators. */
export type AiReply =
  /** `pauseMs`: the service takes no other request for so long. */
  | { kind: 'answer'; text: string; usage: Usage | null; pauseMs: number | null }
  /** The answer did not fit into the tokens that it may have, or the request into the model. */
  | { kind: 'cut'; usage: Usage | null }
  /** The model declines to answer. */
  | { kind: 'declined'; usage: Usage | null }
  /** The service does not take requests of this manner, but may take this one. */
  | { kind: 'manner'; manner: Manner }
  | { kind: 'quota'; waitMs: number | null }
  /** No other request can succeed before a person has changed something. */
  | { kind: 'trouble'; sentence: string }
  | { kind: 'failure'; sentence: string }
  /** `signal` was aborted. */
  | { kind: 'stopped' };
