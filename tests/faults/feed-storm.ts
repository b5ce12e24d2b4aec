import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync, zstdDecompressSync } from 'node:zlib';
import { backUp } from '@draftshelf/backup/back-up';
import type { FeedTest } from '@draftshelf/contract/suppliers/feeds';
import type { FeedRecord } from '@draftshelf/core/connection/schema';
import * as feeds from '@draftshelf/core/suppliers/feeds';
import { type ApiClient, browserOf } from '../support/api-client.ts';
import { csvOf, until } from '../support/fixture.ts';
import { type ListServer, startListServer } from '../support/list-server.ts';
import type { TestServices } from '../support/services.ts';
import { linkMode, type SftpServer, startSftpServer } from '../support/sftp-server.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { createRandom, type Random } from './fault-random.ts';

/** `services`: those of the test run by default. */
type StormSizes = {
  webFeeds: number;
  sftpFeeds: number;
  rounds: number;
  kills: number;
  seed: number;
  services?: TestServices;
};

/** Longest time until all fetches of a round have ended, with a killed worker. */
const roundMsMax = 120_000;
const canary = 'canary';
const user = 'ada';

/** A round of a feed: whether it brings a list, and the trouble that it ends with. */
type Round = { kind: string; brings?: string; trouble?: FeedRecord['trouble_kind'] };

type StormFeed = {
  id: string;
  supplier: number;
  /** Prepares its server for the next fetch. `kill`: to be called once a list has been sent. */
  prepare(version: number, kill: (() => void) | null): Promise<Round>;
};

/**
 * Folder workers fetch lists from servers that redirect, are slow, send the same again, refuse, send web pages, bombs,
 * cut-off lists, names with '..' and other host keys, while a worker is killed with -9 between a fetch and its import.
 * Returns everything that is wrong: each list must be imported once, nothing foreign be asked for, and no secret be
 * logged, stored in clear, answered or backed up.
 */
export async function runFeedStorm(sizes: StormSizes): Promise<{ wrong: string[]; fetches: number }> {
  const random = createRandom(sizes.seed);
  const web = await Promise.all(Array.from({ length: sizes.webFeeds }, () => startListServer()));
  const [other, foreign] = [await startListServer(), await startListServer()];
  const sftp = await Promise.all(
    Array.from({ length: sizes.sftpFeeds }, () =>
      startSftpServer({ name: user, password: `${canary}-sftp` }),
    ),
  );
  const allowed = [...web, other, ...sftp].map(({ origin }) => origin);
  const stack = await startStack({
    names: ['api', 'parse-worker', 'folder-worker'],
    env: { FETCH_ALLOW: allowed.join(','), LOG_LEVEL: 'debug' },
    credentialsKey: randomBytes(32).toString('hex'),
    ...(sizes.services && { services: sizes.services }),
  });
  const workers = [stack.process('folder-worker')];
  const wrong: string[] = [];
  const say = (sentence: string) => wrong.push(`seed ${sizes.seed}: ${sentence}`);
  try {
    const api = browserOf(stack.apiUrl);
    await api.login();
    const storm = await Promise.all([
      ...web.map((server, at) => addWebFeed(api, { server, other, foreign, random, name: `W${at}` })),
      ...sftp.map((server, at) => addSftpFeed(api, stack, { server, random, name: `S${at}`, say })),
    ]);
    await allEnd(stack);
    /** What was brought, and when, by its hash. */
    const brought = new Map<string, string>();
    for (let round = 1; round <= sizes.rounds; round += 1) {
      const killsUntil = (end: number) => Math.floor((end * sizes.kills) / sizes.rounds);
      const isKilled = killsUntil(round) > killsUntil(round - 1);
      const worker = stack.process('folder-worker');
      const kill = () => void setTimeout(() => worker.kill('SIGKILL'), random.between(0, 40));
      const killer = isKilled ? random.pick(storm.slice(0, web.length)) : null;
      const expected = new Map<string, Round>();
      for (const feed of storm) {
        const of = await feed.prepare(round, feed === killer ? kill : null);
        expected.set(feed.id, of);
        if (of.brings !== undefined)
          brought.set(
            of.brings,
            `${of.kind} of feed ${feed.supplier} in round ${round}${feed === killer ? ', killed' : ''}`,
          );
      }
      await stack.database.db.transaction().execute(async (trx) => {
        for (const { supplier } of storm) await feeds.requestFetch(trx, supplier);
      });
      if (isKilled) {
        await worker.ended;
        // As after its time: others take its tasks over.
        await stack.database.pool.query(
          `update processes set seen_at = seen_at - interval '1 minute' where pid = $1`,
          [worker.pid],
        );
        workers.push(await stack.start('folder-worker'));
      }
      await allEnd(stack);
      for (const [id, of] of expected) {
        const feed = await feeds.findFeed(stack.database.db, id);
        if ((feed?.trouble_kind ?? null) !== (of.trouble ?? null))
          say(
            `round ${round}: ${feed?.shown} ends with ${feed?.trouble ?? 'no trouble'}, not ${of.trouble ?? 'well'}`,
          );
      }
    }
    const { rows } = await stack.database.pool.query<{ sha256: string; imports: number }>(
      `select sha256, count(*)::int as imports from imports group by sha256`,
    );
    const imported = new Map(rows.map(({ sha256, imports }) => [sha256, imports]));
    for (const [sha256, when] of brought)
      if (imported.get(sha256) !== 1) say(`${when} was imported ${imported.get(sha256) ?? 0} times`);
    if (imported.size !== brought.size + storm.length)
      say(`${imported.size} lists were imported, not ${brought.size + storm.length}`);
    if (foreign.asked.length > 0) say('a server that is not allowed was asked');
    if (other.asked.some(({ headers }) => JSON.stringify(headers).includes(canary)))
      say('a sign-in was sent to another origin');
    const seen = await everythingSeen(
      stack,
      api,
      storm,
      workers.map((one) => one.output()),
    );
    if (seen.length < 10_000) say('too little was looked at');
    for (const at of seen.matchAll(new RegExp(`.{60}${canary}`, 'gs'))) say(`a secret is readable: ${at[0]}`);
    return { wrong, fetches: storm.length * sizes.rounds };
  } finally {
    await stack.close();
    await Promise.all([...web, other, foreign, ...sftp].map((server) => server.close()));
  }
}

/** Waits until no list is being fetched. Later attempts of the workers themselves would mix with the next round. */
async function allEnd({ database: { pool }, ...stack }: Stack): Promise<void> {
  const open = async () => {
    const { rows } = await pool.query(`select 1 from chunks where task = 'fetch-list' and state <> 'done'`);
    return rows.length;
  };
  await until('all fetches have ended', async () => (await open()) === 0, roundMsMax).catch(
    (error: Error) => {
      throw new Error(`${error.message}\n${stack.process('folder-worker').output().slice(-2_000)}`);
    },
  );
  await pool.query('update feeds set next_fetch_at = null');
}

/** Tests an address by the calls of the screen, and makes a supplier of it. */
async function addFeed(api: ApiClient, body: { address: string; signIn: object }, name: string) {
  const begun = await api.call('POST', '/api/feeds', { body: { ...body, supplier: null, hostKey: null } });
  const { id } = begun.body as { id: string };
  await until('the address is tested', async () => {
    const { isRunning, trouble } = (await api.call('GET', `/api/feeds/${id}`)).body as FeedTest;
    if (trouble) throw new Error(trouble.sentence);
    return !isRunning;
  });
  const kept = await api.call('POST', `/api/feeds/${id}/supplier`, {
    body: { of: name, schedule: { every: 'hour' }, zone: 'UTC' },
  });
  return { id, supplier: (kept.body as { supplier: number }).supplier };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function listOf(name: string, version: number, isTurned = false): string {
  const rows = Array.from({ length: 5 }, (_, at) => [`Soap ${at}`, `${version}.0${at}`, `${name}-${at}`]);
  return csvOf([['Title', 'Price', 'SKU'], ...(isTurned ? rows.toReversed() : rows)]);
}

const bomb = gzipSync(
  `Title,Price\n${Array.from({ length: 400_000 }, (_, row) => `${row % 100},1`).join('\n')}`,
);

async function* slowly(text: string): AsyncGenerator<string> {
  for (const piece of text) {
    await pause(2);
    yield piece;
  }
}

type WebFeed = { server: ListServer; other: ListServer; foreign: ListServer; random: Random; name: string };

async function addWebFeed(
  api: ApiClient,
  { server, other, foreign, random, name }: WebFeed,
): Promise<StormFeed> {
  const path = '/list.csv';
  let [last, lastVersion] = [listOf(name, 0), 0];
  server.serve(path, last);
  const signIn = { kind: 'header', name: 'x-key', value: `${canary}-header` };
  const added = await addFeed(
    api,
    { address: `${server.origin}${path}?token=${canary}-token`, signIn },
    name,
  );
  const kinds = [
    'list',
    'same',
    'turned',
    'moved',
    'slow',
    'named',
    '401',
    'page',
    'cut',
    'bomb',
    'foreign',
    'loop',
  ] as const;
  return {
    ...added,
    async prepare(version, kill) {
      // A list, so that there is something between whose fetch and import a worker can be killed.
      const kind = kill === null ? random.pick(kinds) : 'list';
      const text = listOf(name, version);
      let mayKill = kill;
      const send = (body: string, headers: Record<string, string> = {}) =>
        server.answer(path, (_, response) => {
          response.writeHead(200, { etag: `"${version}"`, ...headers }).end(body, () => {
            mayKill?.();
            mayKill = null;
          });
        });
      const isNew = { kind, brings: hashOf(text) };
      const bring = () => {
        last = text;
        lastVersion = version;
        return isNew;
      };
      const redirect = (to: string) =>
        server.answer(path, (_, response) => response.writeHead(302, { location: to }).end());
      switch (kind) {
        case 'list':
          send(text);
          return bring();
        case 'named':
          send(text, { 'content-disposition': `attachment; filename="../../etc/${name}.csv"` });
          return bring();
        case 'moved':
          other.serve(`/${name}-${version}.csv`, text);
          redirect(`${other.origin}/${name}-${version}.csv`);
          return bring();
        case 'slow':
          server.answer(path, (_, response) => {
            response.writeHead(200, { 'content-length': String(text.length) });
            Readable.from(slowly(text)).pipe(response);
          });
          return bring();
        case 'same':
          send(last);
          return { kind };
        case 'turned':
          last = listOf(name, lastVersion, true);
          send(last);
          return { kind };
        case '401':
          server.answer(path, (_, response) => response.writeHead(401).end(`${canary}-header`));
          return { kind, trouble: 'sign in' };
        case 'page':
          send('<!doctype html><title>Sign in</title>');
          return { kind, trouble: 'web page' };
        case 'cut':
          server.answer(path, (_, response) => {
            response.writeHead(200, { 'content-length': '1000' });
            response.write(text, () => response.destroy());
          });
          return { kind, trouble: 'cut off' };
        case 'bomb':
          server.answer(path, (_, response) => response.writeHead(200).end(bomb));
          return { kind, trouble: 'not a list' };
        case 'foreign':
          redirect(`${foreign.origin}/list.csv`);
          return { kind, trouble: 'address' };
        case 'loop':
          redirect(path);
          return { kind, trouble: 'network' };
      }
    },
  };
}

type SftpFeed = { server: SftpServer; random: Random; name: string; say: (sentence: string) => void };

async function addSftpFeed(
  api: ApiClient,
  stack: Stack,
  { server, random, name, say }: SftpFeed,
): Promise<StormFeed> {
  const path = '/out/list.csv';
  server.write(path, listOf(name, 0), 1);
  const signIn = { kind: 'password', user, password: `${canary}-sftp` };
  const added = await addFeed(api, { address: `${server.origin}/out/l*.csv`, signIn }, name);
  const kinds = ['list', 'list', 'same', 'key', 'link', 'foreign'] as const;
  let offered = -1;
  return {
    ...added,
    async prepare(version) {
      if (offered >= 0) {
        if (server.offered.length !== offered) say('a password was offered to an unknown host key');
        // The operator trusts the new key.
        await stack.database.pool.query('update feeds set host_key = trouble_cause where id = $1', [
          added.id,
        ]);
        offered = -1;
      }
      server.files.delete('/out/link.csv');
      const text = listOf(name, version);
      const kind = random.pick(kinds);
      if (kind === 'same') return { kind };
      if (kind === 'key') {
        await server.changeKey();
        offered = server.offered.length;
        return { kind, trouble: 'host key' };
      }
      // Newer than the list, and no file, or in another folder.
      if (kind === 'link') {
        server.write('/out/link.csv', 'x', version * 10 + 5, linkMode);
        return { kind };
      }
      if (kind === 'foreign') {
        server.write('/out/../lost.csv', 'x', version * 10 + 5);
        return { kind };
      }
      server.write(path, text, version * 10);
      return { kind, brings: hashOf(text) };
    },
  };
}

/** All text that somebody else than the servers of lists can read. */
async function everythingSeen(
  stack: Stack,
  api: ApiClient,
  storm: StormFeed[],
  logs: string[],
): Promise<string> {
  const seen = [...logs, ...[...stack.processes.values()].map((process) => process.output())];
  for (const { supplier } of storm)
    seen.push(JSON.stringify((await api.call('GET', `/api/suppliers/${supplier}/feed`)).body));
  for (const path of ['/api/system/work', '/api/queue', '/api/suppliers'])
    seen.push(JSON.stringify((await api.call('GET', path)).body));
  const directory = join(tmpdir(), `draftshelf-storm-${randomBytes(6).toString('hex')}`);
  const { database, storage } = stack;
  await backUp(directory, {
    database,
    storage,
    signal: new AbortController().signal,
    report: (said) => seen.push(said),
  });
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    seen.push((entry.name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('latin1'));
  }
  await rm(directory, { recursive: true });
  return seen.join('\n');
}
