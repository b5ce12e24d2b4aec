import type { ErrorBody } from '@draftshelf/contract/errors';

/** An answer that is not 2xx and that the caller is meant to read: thrown by handlers, answered by errors.ts. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.name = 'Refusal';
    this.status = status;
    this.body = body;
  }
}

export const invalid = (message: string, field?: string) =>
  new Refusal(400, { code: 'invalid', message, ...(field ? { field } : {}) });

export const notFound = (message: string) => new Refusal(404, { code: 'not_found', message });

export const conflict = (message: string) => new Refusal(409, { code: 'conflict', message });

/** An unknown and a malformed id are the same: there is no such import. */
export const importNotFound = () => notFound('Import not found.');
