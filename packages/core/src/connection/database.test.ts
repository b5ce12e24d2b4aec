import { readFile } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  describeRefusal,
  isDatabaseRefusal,
  isDatabaseUnavailable,
  type OpenDatabase,
  openDatabase,
  toStorableParameters,
  withPinnedConnection,
} from './database.ts';
import { storableJson } from './storable-json.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function open(host: string, port: number): OpenDatabase {
  const address = `host=${encodeURIComponent(host)}&port=${port}`;
  const database = openDatabase({
    connectionString: `postgresql://nobody@/none?${address}`,
    applicationName: 'test',
  });
  closing.push(database.close);
  return database;
}

/** Accepts connections and passes what they send to `onBytes`. */
async function listenTo(onBytes: (socket: net.Socket, bytes: Buffer) => void): Promise<number> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => onBytes(socket, bytes));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  closing.push(
    () =>
      new Promise((closed) => {
        server.close(() => closed());
      }),
  );
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const server = net.createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** AuthenticationOk and ReadyForQuery. */
const welcome = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');

const thrownBy = (work: () => Promise<unknown>) =>
  work().then(
    () => undefined,
    (error: unknown) => error,
  );
const askWith = (database: OpenDatabase) => () => database.db.selectFrom('imports').select('id').execute();

describe('Postgres is unavailable', () => {
  test('when nothing listens on the port or the socket', async () => {
    const refused = await thrownBy(askWith(open('127.0.0.1', await closedPort())));
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
    expect(isDatabaseUnavailable(refused)).toBe(true);
    const missing = await thrownBy(() =>
      withPinnedConnection(open('/no/such/directory', 5432), async () => {}),
    );
    expect(missing).toMatchObject({ code: 'ENOENT' });
    expect(isDatabaseUnavailable(missing)).toBe(true);
  });

  test('when the connection breaks before or during a query', async () => {
    const hangsUp = await listenTo((socket) => socket.destroy());
    expect(isDatabaseUnavailable(await thrownBy(askWith(open('127.0.0.1', hangsUp))))).toBe(true);
    const breaks = await listenTo((socket, bytes) => {
      if (bytes.includes('nobody')) socket.write(welcome);
      else socket.resetAndDestroy();
    });
    const broken = await thrownBy(askWith(open('127.0.0.1', breaks)));
    expect(broken).toMatchObject({ code: 'ECONNRESET' });
    expect(isDatabaseUnavailable(broken)).toBe(true);
  });
});

test.each([
  ['53100', 'disk is full'],
  ['53200', 'out of memory'],
  ['53300', 'no free connections'],
  ['57P03', 'starting'],
  ['57P01', undefined],
])('Postgres refuses with %s: %s', async (state, cause) => {
  const fields = `SFATAL\0C${state}\0Mrefused\0\0`;
  const refusal = Buffer.from(`E\0\0\0${String.fromCharCode(fields.length + 4)}${fields}`, 'latin1');
  const refuses = await listenTo((socket) => socket.end(refusal));
  const error = await thrownBy(askWith(open('127.0.0.1', refuses)));
  expect([isDatabaseUnavailable(error), isDatabaseRefusal(error)]).toEqual([true, true]);
  if (cause === undefined) expect(describeRefusal(error)).toBeUndefined();
  else expect(describeRefusal(error)).toContain(cause);
});

describe('Postgres is not the cause', () => {
  test('when all connections of the pool are in use', async () => {
    const port = await listenTo((socket, bytes) => {
      if (bytes.includes('nobody')) socket.write(welcome);
      else socket.end();
    });
    const database = openDatabase({
      connectionString: `postgresql://nobody@127.0.0.1:${port}/none`,
      applicationName: 'test',
      poolMax: 1,
      connectMsMax: 500,
    });
    closing.push(database.close);
    const busy = await withPinnedConnection(database, () => thrownBy(askWith(database)));
    expect([isDatabaseUnavailable(busy), isDatabaseRefusal(busy)]).toEqual([true, false]);
  });

  test('when a file is missing or another server does not answer', async () => {
    const missing = await thrownBy(() => readFile('/no/such/file'));
    expect(missing).toMatchObject({ code: 'ENOENT' });
    expect(isDatabaseUnavailable(missing)).toBe(false);
    for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE']) {
      expect(isDatabaseUnavailable(Object.assign(new Error('read'), { code, syscall: 'read' }))).toBe(false);
    }
  });
});

test('JSON keeps everything that Postgres can take apart, and has U+FFFD for the rest, also in keys', () => {
  const value = {
    'k\0': ['a\0b', '\ud83d', 'x\udc00y', '🪔', '\\u0000', '\\\\ud83d', '\u0001', '"'],
    none: null,
  };
  const stored = storableJson(value);
  expect(JSON.parse(stored)).toEqual({
    'k\uFFFD': ['a\uFFFDb', '\uFFFD', 'x\uFFFDy', '🪔', '\\u0000', '\\\\ud83d', '\u0001', '"'],
    none: null,
  });
  expect(storableJson({ a: 'é🪔' })).toBe('{"a":"é🪔"}');
});

test('the same holds for parameters of statements, in lists of any depth', () => {
  const [bytes, date] = [Buffer.from('\0'), new Date(0)];
  const given = ['a\0', ['b\ud83d', null, ['c\0', 1]], 2, true, null, undefined, bytes, date, { d: '\0' }];
  expect(toStorableParameters(given)).toEqual([
    'a\uFFFD',
    ['b\uFFFD', null, ['c\uFFFD', 1]],
    ...[2, true, null, undefined, bytes, date, '{"d":"\\ufffd"}'],
  ]);
});
