import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { browserOf, testAccessKey } from './api-client.ts';
import { startApp } from './app-process.ts';
import { type Fixture, fixtureEnv } from './fixture.ts';
import { ownPort } from './own-port.ts';
import { memoryOf, type ProcessMemory } from './process-memory.ts';

export type Answer = { status: number | undefined; body: string };

/** The api in its own process, so that its memory can be measured. */
export type ApiProcess = ProcessMemory & {
  url: string;
  /** Uploads a file that is generated while it is sent; returns the reply, also if it comes before the end. */
  upload(pieces: Iterable<Buffer>): Promise<Answer>;
  /** Posts a JSON body to /api/fast-upload that is generated while it is sent. */
  fastUpload(pieces: Iterable<Buffer>): Promise<Answer>;
  /** The processor time of all its threads so far; other processes do not affect it, unlike wall time. */
  processorMs(): Promise<number>;
  /** What it has logged. */
  output(): string;
  /** The processes that it has started. */
  children(): Promise<number[]>;
  /** Kills it as a crash does, and waits for its end. */
  kill(): Promise<void>;
  stop(): Promise<void>;
};

/** Linux reports processor time in hundredths of a second. */
const msPerTick = 10;

export async function startApiProcess(fixture: Fixture, env: Record<string, string>): Promise<ApiProcess> {
  const webDir = await mkdtemp(join(tmpdir(), 'draftshelf-web-'));
  await writeFile(join(webDir, 'index.html'), '');
  const port = await ownPort();
  const url = `http://127.0.0.1:${port}`;
  const api = await startApp('api', {
    ...fixtureEnv(fixture),
    PORT: String(port),
    ACCESS_KEY: testAccessKey,
    SESSION_SECRET: 'a secret of the tests',
    WEB_DIR: webDir,
    SHOPIFY_STORE_URL: 'http://127.0.0.1:9',
    SHOPIFY_ACCESS_TOKEN: 'none',
    ...env,
  });
  const [cookie = ''] = (await browserOf(url).login()).headers.getSetCookie();
  const ownCookie = cookie.split(';', 1)[0] ?? '';
  return {
    url,
    upload: (pieces) => postCsv(url, ownCookie, pieces),
    fastUpload: (pieces) =>
      post(`${url}/api/fast-upload`, { cookie: ownCookie, 'content-type': 'application/json' }, pieces),
    ...memoryOf(api.pid),
    output: api.output,
    async processorMs() {
      const stat = await readFile(`/proc/${api.pid}/stat`, 'utf8');
      // Fields are counted after the name, which may contain spaces, from the third one (proc_pid_stat(5)).
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [user, system] = [fields[11], fields[12]];
      return (Number(user) + Number(system)) * msPerTick;
    },
    async children() {
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
      // One that has ended meanwhile has no parent any more.
      const parents = await Promise.all(
        pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').then(parentOf, () => null)),
      );
      return pids.map(Number).filter((_pid, at) => parents[at] === api.pid);
    },
    async kill() {
      api.kill('SIGKILL');
      await api.ended;
      await rm(webDir, { recursive: true });
    },
    async stop() {
      await api.stop();
      await rm(webDir, { recursive: true, force: true });
    },
  };
}

/** The parent in a line of proc_pid_stat(5): the second field after the name, which may contain spaces. */
const parentOf = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);

function postCsv(url: string, cookie: string, pieces: Iterable<Buffer>): Promise<Answer> {
  function* form() {
    yield Buffer.from(
      '--b\r\ncontent-disposition: form-data; name="csv"; filename="big.csv"\r\ncontent-type: text/csv\r\n\r\n',
    );
    yield* pieces;
    yield Buffer.from('\r\n--b\r\ncontent-disposition: form-data; name="enableAI"\r\n\r\nfalse\r\n--b--\r\n');
  }
  const headers = { cookie, 'content-type': 'multipart/form-data; boundary=b' };
  return post(`${url}/api/upload`, headers, form());
}

async function post(url: string, headers: Record<string, string>, pieces: Iterable<Buffer>): Promise<Answer> {
  const answered = Promise.withResolvers<http.IncomingMessage>();
  const request = http.request(url, { method: 'POST', headers });
  request.on('response', answered.resolve);
  request.on('error', answered.reject);
  // A refusal may close the connection before everything was sent; then only the answer counts.
  const sent = pipeline(Readable.from(pieces), request).catch(() => {});
  const response = await answered.promise;
  const body = Buffer.concat(await response.toArray()).toString();
  await sent;
  return { status: response.statusCode, body };
}
