import type { ErrorBody } from '@draftshelf/contract/errors';

/** An error that becomes a reply other than 2xx. Handlers throw it; error-handler.ts sends it and logs its cause. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  /** The time after which the same request may succeed. Undefined if waiting does not help. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, body: ErrorBody, retryAfterSeconds?: number, options?: ErrorOptions) {
    super(body.message, options);
    this.name = 'Refusal';
    this.status = status;
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const invalid = (message: string, field?: string) =>
  new Refusal(400, { code: 'invalid', message, ...(field ? { field } : {}) });

export const notFound = (message: string) => new Refusal(404, { code: 'not_found', message });

export const conflict = (message: string, current?: ErrorBody['current']) =>
  new Refusal(409, { code: 'conflict', message, ...(current ? { current } : {}) });

/** Returns a successful result. Throws a Refusal (409) with the reason if the result is a failure. */
export function requireOk<T extends { ok: true } | { ok: false; reason: string }>(
  result: T,
): Extract<T, { ok: true }> {
  if (!result.ok) throw conflict(result.reason);
  return result as Extract<T, { ok: true }>;
}

export const importNotFound = () => notFound('Import not found.');
