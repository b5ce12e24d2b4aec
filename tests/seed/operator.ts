import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getImport, type JobWithRows } from '@draftshelf/contract/imports/imports';
import type { ImportStatus } from '@draftshelf/domain/imports/import-status';

const lookEveryMs = 100;
const waitMsMax = 180_000;

/** An operator who works with the product through the calls of its api. */
export type Operator = ReturnType<typeof operatorOf>;

/** Signs in; an empty key: the product runs without sign-in. */
export async function signIn(origin: string, accessKey: string): Promise<Operator> {
  if (accessKey === '') return operatorOf(origin, '');
  const reply = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ accessKey }),
  });
  if (!reply.ok) throw new Error(`The product at ${origin} refused the access key (${reply.status}).`);
  return operatorOf(origin, reply.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '');
}

/** The operator of a session. */
export function operatorOf(origin: string, cookie: string) {
  const call = async (method: string, path: string, body?: object) => {
    const isForm = body instanceof FormData;
    const reply = await fetch(`${origin}${path}`, {
      method,
      headers: { cookie, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} replied ${reply.status}: ${text}`);
    return JSON.parse(text);
  };
  const upload = async (csv: string, filename: string): Promise<string> => {
    const form = new FormData();
    form.append('csv', new Blob([csv]), filename);
    return (await call('POST', '/api/upload', form)).id;
  };
  const read = async (id: string): Promise<JobWithRows> =>
    getImport.reply.parse(await call('GET', `/api/queue/${id}?rows=0`)).job;
  const reach = async (id: string, statuses: readonly ImportStatus[]): Promise<JobWithRows> => {
    const deadline = performance.now() + waitMsMax;
    for (;;) {
      const job = await read(id);
      if ((statuses as readonly string[]).includes(job.status)) return job;
      if (job.status === 'failed' || performance.now() > deadline) {
        throw new Error(
          `${job.filename} is ${job.status}, not ${statuses.join(' or ')}: ${job.errorMessage}`,
        );
      }
      await pause(lookEveryMs);
    }
  };
  return {
    origin,
    call,
    upload,
    read,
    reach,
    /** Uploads a text and waits until its rows can be reviewed. */
    async importText(csv: string, filename: string): Promise<string> {
      const id = await upload(csv, filename);
      await reach(id, ['queued', 'processed']);
      return id;
    },
    async importFile(path: string): Promise<string> {
      const id = await upload(await readFile(path, 'utf8'), basename(path));
      await reach(id, ['queued', 'processed']);
      return id;
    },
    async push(id: string): Promise<JobWithRows> {
      await call('POST', `/api/queue/${id}/push`);
      return reach(id, ['completed', 'failed']);
    },
  };
}
