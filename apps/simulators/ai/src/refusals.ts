import type { Sentinel } from './behavior.ts';

/** A reply of the service without a completion. */
export type Refusal = { kind: string; status: number; headers: Record<string, string>; body: unknown };

const error = (message: string, rest: { type?: string; code?: string; param?: string } = {}) => ({
  error: { message, type: 'invalid_request_error', code: null, param: null, ...rest },
});
const refusal = (
  kind: string,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Refusal => ({ kind, status, headers, body });

const tooMany = error('Rate limit reached for requests', { type: 'requests', code: 'rate_limit_exceeded' });

/** Seconds of pause in the headers of a full quota. */
const pauseSeconds = 2;

/** Returns the reply to a sentinel that refuses; null: there is a completion. */
export function refusalOf(sentinel: Sentinel | null, nowMs: number): Refusal | null {
  switch (sentinel) {
    case 'quota-seconds':
      return refusal(sentinel, 429, tooMany, { 'retry-after': String(pauseSeconds) });
    case 'quota-date':
      return refusal(sentinel, 429, tooMany, {
        'retry-after': new Date(nowMs + pauseSeconds * 1000).toUTCString(),
      });
    case 'quota-reset':
      return refusal(sentinel, 429, tooMany, {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': `0m${pauseSeconds}s`,
      });
    case 'quota-bare':
      return refusal(sentinel, 429, tooMany);
    case 'quota-spent':
      return refusal(
        sentinel,
        429,
        error('You exceeded your current quota', { type: 'insufficient_quota', code: 'insufficient_quota' }),
      );
    case 'unauthorized':
      return wrongKey;
    case 'unpaid':
      return refusal(sentinel, 402, error('Insufficient Balance'));
    case 'unknown':
      return unknownModel('?');
    case 'failure':
      return serverError;
    case 'redirect':
      return refusal(sentinel, 307, {}, { location: 'http://127.0.0.1:9/elsewhere' });
    default:
      return null;
  }
}

export const wrongKey = refusal(
  'unauthorized',
  401,
  error('Incorrect API key provided', { code: 'invalid_api_key' }),
);
export const serverError = refusal(
  'failure',
  500,
  error('The server had an error', { type: 'server_error' }),
);
export const unknownModel = (model: string): Refusal =>
  refusal(
    'unknown',
    404,
    error(`The model \`${model}\` does not exist`, { code: 'model_not_found', param: 'model' }),
  );
export const badStructure = (structure: string): Refusal =>
  refusal(
    'structure',
    400,
    error(`'response_format' of this type is unavailable now: ${structure}`, { param: 'response_format' }),
  );
export const badParameter = refusal(
  'parameter',
  400,
  error("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", {
    code: 'unsupported_parameter',
    param: 'max_tokens',
  }),
);
