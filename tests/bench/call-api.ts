import type { BenchStack } from './bench-stack.ts';

/** Returns a function that calls the api of a stack and returns the reply's body. It throws if that is no 2xx. */
export const callApi =
  ({ apiUrl, cookie }: Pick<BenchStack, 'apiUrl' | 'cookie'>) =>
  async <Reply>(method: string, path: string, body?: object): Promise<Reply> => {
    const answer = await fetch(apiUrl + path, {
      method,
      headers: { cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Reply;
  };
