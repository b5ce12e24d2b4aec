import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { openDatabase } from '@draftshelf/core/connection/database';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import pg from 'pg';
import { describe, expect } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { browserOf, csvForm, testAccessKey } from '../../support/api-client.ts';
import { productCsv, until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { test } from '../../support/test.ts';

test.afterEach(async ({ fixture }) => {
  await fixture.database.db.deleteFrom('login_failures').execute();
});

const unauthorized = { status: 401, body: { code: 'unauthorized', message: 'Please sign in.' } };

/** The status of a request whose headers no browser's script may set. */
async function statusFor(url: string, options: http.RequestOptions, body = ''): Promise<number | undefined> {
  const [response] = await once(http.request(url, options).end(body), 'response');
  response.resume();
  return response.statusCode;
}

describe('without a session', () => {
  test('the open routes answer', async ({ api }) => {
    const anonymous = browserOf(api.url);
    expect(await anonymous.call('GET', '/api/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
    const ready = await anonymous.call('GET', '/api/ready');
    expect({ status: ready.status, body: ready.body }).toEqual({ status: 200, body: { ready: true } });
    expect(await anonymous.call('GET', '/api/auth/status')).toMatchObject({
      status: 200,
      body: { authenticated: false, requiresAuth: true },
    });
    expect(await anonymous.call('POST', '/api/auth/logout')).toMatchObject({ status: 200 });
    expect(await anonymous.call('GET', '/queue/some-job')).toMatchObject({ status: 200 });
  });

  test('every other route is refused, in every spelling of its address', async ({ api }) => {
    const anonymous = browserOf(api.url);
    for (const [method, path] of [
      ['GET', '/api/queue'],
      ['GET', '/%61pi/queue'],
      ['GET', '/api/%71ueue'],
      ['HEAD', '/api/queue'],
      ['GET', '/api/queue/x'],
      ['GET', '/api/jobs/x'],
      ['POST', '/api/queue/x/push'],
      ['POST', '/api/jobs/x/retry'],
      ['PATCH', '/api/queue/x/rows/1'],
      ['GET', '/api/settings'],
      ['POST', '/api/settings'],
      ['GET', '/api/connections'],
      ['POST', '/api/shopify/test'],
      ['GET', '/api/nothing-of-this-name'],
    ] as const) {
      const answer = await anonymous.call(method, path);
      expect({ path, status: answer.status }).toEqual({ path, status: 401 });
    }
    expect(await anonymous.call('GET', '/api/queue')).toMatchObject(unauthorized);
    expect(await anonymous.upload(csvForm(productCsv(1)))).toMatchObject({ status: 401 });
  });
});

describe('login', () => {
  test('the cookie is HttpOnly, logout ends the session everywhere', async ({ api }) => {
    const browser = browserOf(api.url);
    const status = async () => (await browser.call('GET', '/api/auth/status')).body;
    const answer = await browser.login();
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax/);
    expect(cookie).not.toContain('Secure');
    expect((await browser.call('GET', '/api/queue')).status).toBe(200);
    expect(await status()).toEqual({ authenticated: true, requiresAuth: true });
    const stolen = { cookie: cookie.split(';', 1)[0] ?? '' };
    expect((await browserOf(api.url).call('GET', '/api/queue', { headers: stolen })).status).toBe(200);
    expect(await browser.call('POST', '/api/auth/logout')).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await status()).toEqual({ authenticated: false, requiresAuth: true });
    expect((await browser.call('GET', '/api/queue')).status).toBe(401);
    expect((await browserOf(api.url).call('GET', '/api/queue', { headers: stolen })).status).toBe(401);
  });

  test('a logout through another api process ends the session here too', async ({ fixture, api }) => {
    const browser = browserOf(api.url);
    const [cookie = ''] = (await browser.login()).headers.getSetCookie();
    const headers = { cookie: cookie.split(';', 1)[0] ?? '' };
    const statusHere = async () => (await browserOf(api.url).call('GET', '/api/queue', { headers })).status;
    expect(await statusHere()).toBe(200);
    const other = await startApi(fixture);
    expect((await browserOf(other.url).call('POST', '/api/auth/logout', { headers })).status).toBe(200);
    await other.close();
    await until('the session has ended here', async () => (await statusHere()) === 401);
  });

  test('a session that is not used for 12 hours ends, and use is noted', async ({ fixture, api }) => {
    const { pool } = fixture.database;
    const statusOf = async (usedAgo: string) => {
      await pool.query('delete from sessions');
      const browser = browserOf(api.url);
      await browser.login();
      await pool.query(`update sessions set used_at = now() - interval '${usedAgo}'`);
      return (await browser.call('GET', '/api/queue')).status;
    };
    expect(await statusOf('11 hours')).toBe(200);
    await until('the use is noted', async () => {
      const noted = `select 1 from sessions where used_at > now() - interval '1 minute'`;
      return (await pool.query(noted)).rowCount === 1;
    });
    expect(await statusOf('13 hours')).toBe(401);
    await api.login();
  });

  test('a second sign-in of a browser ends its first session', async ({ api }) => {
    const browser = browserOf(api.url);
    const [first = ''] = (await browser.login()).headers.getSetCookie();
    expect((await browser.call('GET', '/api/queue')).status).toBe(200);
    await browser.login();
    expect((await browser.call('GET', '/api/queue')).status).toBe(200);
    const headers = { cookie: first.split(';', 1)[0] ?? '' };
    expect((await browserOf(api.url).call('GET', '/api/queue', { headers })).status).toBe(401);
  });

  test('all browsers are signed out at once by one with a session', async ({ api }) => {
    const [one, other] = [browserOf(api.url), browserOf(api.url)];
    await Promise.all([one.login(), other.login()]);
    expect((await other.call('GET', '/api/queue')).status).toBe(200);
    const everywhere = '/api/auth/logout-everywhere';
    expect((await browserOf(api.url).call('POST', everywhere)).status).toBe(401);
    expect(await one.call('POST', everywhere)).toMatchObject({ status: 200, body: { success: true } });
    for (const browser of [one, other]) expect((await browser.call('GET', '/api/queue')).status).toBe(401);
    await api.login();
  });

  test('a changed key ends the sessions of the old key', async ({ fixture, api }) => {
    const browser = browserOf(api.url);
    const [cookie = ''] = (await browser.login()).headers.getSetCookie();
    const headers = { cookie: cookie.split(';', 1)[0] ?? '' };
    const changed = await startApi(fixture, { set: { accessKey: 'another key' } });
    expect((await browserOf(changed.url).call('GET', '/api/queue', { headers })).status).toBe(401);
    await changed.close();
    expect((await browserOf(api.url).call('GET', '/api/queue', { headers })).status).toBe(200);
  });

  test('only failures are limited, and concurrent guesses are counted one by one', async ({ api }) => {
    const browser = browserOf(api.url);
    for (let i = 0; i < 30; i += 1) expect((await browser.login()).status).toBe(200);
    expect(await browser.login('wrong')).toMatchObject({ status: 401, body: { code: 'wrong_key' } });
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => browserOf(api.url).login(`guess ${i}`)),
    );
    const statuses = guesses.map((guess) => guess.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(9);
    expect(statuses.filter((status) => status === 429)).toHaveLength(11);
    expect(await browser.login(testAccessKey)).toMatchObject({
      status: 429,
      body: { code: 'too_many_attempts', message: expect.stringContaining('15 minutes') },
    });
  });

  test('behind a trusted proxy failures are counted per client; other forwarded addresses are ignored', async ({
    fixture,
    api,
  }) => {
    const guessFrom = (url: string, client: string) =>
      browserOf(url).call('POST', '/api/auth/login', {
        body: { accessKey: 'wrong' },
        headers: { 'x-forwarded-for': client },
      });
    const proxied = await startApi(fixture, { set: { trustedProxies: ['127.0.0.0/8'] } });
    try {
      for (let i = 0; i < 10; i += 1) expect((await guessFrom(proxied.url, '203.0.113.1')).status).toBe(401);
      expect((await guessFrom(proxied.url, '203.0.113.1')).status).toBe(429);
      // An address that the client itself sent comes before the proxy's, and is ignored.
      expect((await guessFrom(proxied.url, '198.51.100.9, 203.0.113.1')).status).toBe(429);
      expect((await guessFrom(proxied.url, '203.0.113.2')).status).toBe(401);
      // An IPv6 client has a whole network of addresses.
      for (let i = 0; i < 10; i += 1) await guessFrom(proxied.url, `2001:db8:0:1::${i}`);
      expect((await guessFrom(proxied.url, '2001:db8:0:1:9::99')).status).toBe(429);
      expect((await guessFrom(proxied.url, '2001:db8:0:2::1')).status).toBe(401);
    } finally {
      await proxied.close();
    }
    for (let i = 0; i < 10; i += 1) expect((await guessFrom(api.url, `203.0.113.${i}`)).status).toBe(401);
    expect((await guessFrom(api.url, '203.0.113.99')).status).toBe(429);
  });

  test('many failures over all addresses slow wrong keys down and refuse no right one', async ({
    fixture,
    api,
  }) => {
    const { pool } = fixture.database;
    await pool.query(
      `insert into login_failures (address, failed_at)
       select '203.0.113.' || n % 200, now() - interval '50 minutes' from generate_series(1, 999) n`,
    );
    expect((await browserOf(api.url).login('wrong')).status).toBe(401);
    expect((await browserOf(api.url).login()).status).toBe(200);
    const kinds = async () =>
      (await pool.query<{ kind: string }>('select kind from security_events')).rows.map(({ kind }) => kind);
    await until('it is recorded', async () => (await kinds()).includes('sign-ins-slowed'));
    // They count for an hour, so the sign-in has not removed them.
    expect((await pool.query('select 1 from login_failures')).rowCount).toBe(1000);
  });

  test('waiting logins leave connections to the other requests', async ({ fixture, api }) => {
    const holder = new pg.Client({ connectionString: fixture.databaseUrl });
    await holder.connect();
    try {
      // Logins from this address have to wait, as behind thousands of guesses.
      await holder.query("select pg_advisory_lock(hashtext('draftshelf login'), hashtext('127.0.0.1'))");
      const guesses = Array.from({ length: 20 }, () => browserOf(api.url).login('wrong'));
      await until('a guess waits', async () => {
        const { rows } = await holder.query(
          "select 1 from pg_locks where classid = hashtext('draftshelf login')::oid and not granted",
        );
        return rows.length > 1;
      });
      expect((await api.call('GET', '/api/settings')).status).toBe(200);
      await holder.query('select pg_advisory_unlock_all()');
      const statuses = (await Promise.all(guesses)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    } finally {
      await holder.end();
    }
  });

  test('an invalid body is a 400 with a sentence', async ({ api }) => {
    const browser = browserOf(api.url);
    for (const body of [{}, { accessKey: 5 }]) {
      expect(await browser.call('POST', '/api/auth/login', { body })).toMatchObject({
        status: 400,
        body: { code: 'invalid', field: 'accessKey' },
      });
    }
    const headers = { 'content-type': 'application/json' };
    expect(await browser.call('POST', '/api/auth/login', { headers })).toMatchObject({ status: 400 });
  });
});

test('a database that is down is a 503 with a sentence', async ({ fixture }) => {
  const away = openDatabase({ connectionString: 'postgresql://u@127.0.0.1:9/none', applicationName: 'test' });
  const other = await startApi(fixture, { set: { database: away } });
  expect(await other.login()).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
  expect(await other.call('GET', '/api/health')).toMatchObject({ status: 200 });
  const ready = await other.call('GET', '/api/ready');
  expect({ status: ready.status, body: ready.body }).toEqual({ status: 503, body: { ready: false } });
  await other.close();
  await away.close();
});

test('requests without valid JSON, too long or of another type get our error body', async ({ api }) => {
  const send = async (type: string, body: string) => {
    const response = await fetch(`${api.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    return { status: response.status, body: await response.json() };
  };
  expect(await send('application/json', '{"accessKey":')).toMatchObject({
    status: 400,
    body: { code: 'invalid' },
  });
  expect(await send('application/json', `{"accessKey":"${'x'.repeat(1_100_000)}"}`)).toMatchObject({
    status: 413,
    body: { code: 'too_large' },
  });
  expect(await send('text/plain', 'accessKey')).toMatchObject({
    status: 415,
    body: { code: 'unsupported_media_type', message: 'Send the body as application/json.' },
  });
});

test.runIf(isLong)(
  'a body that does not arrive ends the connection, an upload with a session has more time',
  async ({ api }) => {
    const { hostname, port } = new URL(api.url);
    const [cookie = ''] = (await browserOf(api.url).login()).headers.getSetCookie();
    const begin = async (path: string, type: string, headers = '') => {
      const socket = net.connect(Number(port), hostname).on('error', () => {});
      const closed = once(socket, 'close');
      let text = '';
      socket.on('data', (piece) => {
        text += piece;
      });
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: ${type}\r\ncontent-length: 1000\r\n${headers}\r\n-`,
      );
      return { socket, closed, text: () => text };
    };
    const form = 'multipart/form-data; boundary=b';
    const upload = await begin('/api/upload', form, `cookie: ${cookie.split(';', 1)[0]}\r\n`);
    const slow = [await begin('/api/auth/login', 'application/json'), await begin('/api/upload', form)];
    await Promise.all(slow.map(({ closed }) => closed));
    expect(slow.map(({ text }) => text().slice(0, 12))).toEqual(['', 'HTTP/1.1 401']);
    upload.socket.end(' '.repeat(999));
    await upload.closed;
    expect(upload.text()).toMatch(/^HTTP\/1.1 400/);
  },
);

test('a website whose name points here cannot sign in, and cannot lock anybody out', async ({ api }) => {
  const [address, { port }] = [`${api.url}/api/auth/login`, new URL(api.url)];
  const signIn = (host: string, origin: string | undefined, accessKey: string) => {
    const headers = { 'content-type': 'application/json', host, ...(origin && { origin }) };
    return statusFor(address, { method: 'POST', headers }, JSON.stringify({ accessKey }));
  };
  for (let i = 0; i < 12; i += 1) {
    expect(await signIn('evil.example', 'http://evil.example', 'wrong')).toBe(403);
  }
  expect(await signIn(`127.0.0.1:${port}`, undefined, testAccessKey)).toBe(200);
  expect(await signIn('192.168.1.5:3000', 'http://192.168.1.5:3000', testAccessKey)).toBe(200);
  // A proxy may rewrite Host, but not the page's origin.
  expect(await signIn('inner.example', 'http://localhost:3000', testAccessKey)).toBe(200);
});

describe('origin', () => {
  test.for([
    ['https://evil.example', 403],
    ['null', 403],
    ['http://localhost:3000', 200],
  ] as const)('%s gets %i', async ([origin, status], { api }) => {
    const answer = await api.call('POST', '/api/settings', { body: {}, headers: { origin } });
    expect(answer.status).toBe(status);
  });

  test('over HTTPS only pages over HTTPS are accepted, and the cookie belongs to this host alone', async ({
    fixture,
  }) => {
    const publicUrl = 'https://shelf.example';
    const secure = await startApi(fixture, { set: { publicUrl } });
    try {
      const answer = await secure.login();
      const [cookie = ''] = answer.headers.getSetCookie();
      expect(cookie).toMatch(
        /^__Host-draftshelf_session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      );
      expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
      const statusFor = async (origin: string) =>
        (await secure.call('POST', '/api/settings', { body: {}, headers: { origin } })).status;
      expect(await statusFor(publicUrl)).toBe(200);
      expect(await statusFor('http://shelf.example')).toBe(403);
      expect(await statusFor(secure.url)).toBe(403);
      const other = { cookie: cookie.replace('__Host-', '').split(';', 1)[0] ?? '' };
      expect((await browserOf(secure.url).call('GET', '/api/queue', { headers: other })).status).toBe(401);
    } finally {
      await secure.close();
    }
  });
});

test('replies of the api cannot be framed or sniffed, and only those of polls stay with the browser', async ({
  api,
}) => {
  const cacheOf = async (path: string) => {
    const { headers } = await api.call('GET', path);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBeNull();
    return headers.get('cache-control');
  };
  expect(await cacheOf('/api/queue')).toBe('private, no-cache');
  for (const path of ['/api/connections', '/api/system/info', '/api/auth/status', '/api/nothing']) {
    expect(await cacheOf(path)).toBe('no-store');
  }
  const first = await api.call('GET', '/api/queue');
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  const again = await api.call('GET', '/api/queue', { headers });
  expect(again.status).toBe(304);
  expect(again.headers.get('cache-control')).toBe('private, no-cache');
});

describe('with an empty access key', () => {
  let open: TestApi;
  test.beforeAll(async ({ fixture }) => {
    open = await startApi(fixture, { set: { accessKey: '' } });
  });
  test.afterAll(() => open.close());

  test('everyone on this machine is signed in', async () => {
    expect(await open.call('GET', '/api/auth/status')).toMatchObject({
      status: 200,
      body: { authenticated: true, requiresAuth: false },
    });
    expect((await open.call('GET', '/api/queue')).status).toBe(200);
    expect((await open.login('anything')).status).toBe(200);
  });

  test('a website whose name points to this machine is not', async () => {
    expect(await statusFor(`${open.url}/api/queue`, { headers: { host: 'evil.example' } })).toBe(403);
  });
});

describe('the web', () => {
  test('any address outside the api serves the app with the content security policy', async ({ api }) => {
    const anonymous = browserOf(api.url);
    for (const path of ['/', '/queue/some-job', '/no/such/page', '/apis', '/assetsnot']) {
      const answer = await anonymous.call('GET', path);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      expect(answer.body).toContain('<title>Draftshelf</title>');
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'self'; img-src 'self' http: https: data: blob:");
      expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
      expect(policy).toContain("object-src 'none'; base-uri 'none'");
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    }
  });

  test('an asset that is gone is a 404 that no cache keeps, not the page', async ({ api }) => {
    for (const path of ['/assets/gone.js', '/assets/', '/assets/fonts/gone.woff2']) {
      const answer = await browserOf(api.url).call('GET', path);
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
      expect(answer.body).toEqual({ code: 'not_found', message: 'Not found.' });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('the page contains the maximum file size', async ({ fixture, api }) => {
    const limitIn = async (url: string, path: string) => {
      const { body } = await browserOf(url).call('GET', path);
      return /<meta name="csv-bytes-max" content="(.*?)"/.exec(String(body))?.[1];
    };
    expect(await limitIn(api.url, '/')).toBe('52428800');
    const csvBytesMax = 1024 ** 3;
    const raised = await startApi(fixture, {
      set: { limits: { ...readLimitsDefault, csvBytesMax, archiveBytesMax: csvBytesMax } },
    });
    try {
      for (const path of ['/', '/index.html', '/upload']) {
        expect(await limitIn(raised.url, path)).toBe(String(csvBytesMax));
      }
    } finally {
      await raised.close();
    }
  });

  test('an unknown address of the api is a JSON 404, and a POST gets no page', async ({ api }) => {
    const notFound = { status: 404, body: { code: 'not_found' } };
    expect(await api.call('GET', '/api/nothing')).toMatchObject(notFound);
    expect(await api.call('GET', '/api/queue/%zz')).toMatchObject(notFound);
    expect(await api.call('POST', '/api/queue')).toMatchObject(notFound);
    expect(await api.call('POST', '/queue')).toMatchObject(notFound);
  });
});
