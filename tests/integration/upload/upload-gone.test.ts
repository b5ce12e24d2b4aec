import { once } from 'node:events';
import http from 'node:http';
import { expect } from 'vitest';
import { csvForm, testAccessKey } from '../../support/api-client.ts';
import { lockWaiters, productCsv, storedUnder, until } from '../../support/fixture.ts';
import { test } from '../../support/test.ts';

test('an upload whose sender disconnects before the answer leaves nothing', async ({ fixture, api }) => {
  const login = await fetch(`${api.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ accessKey: testAccessKey }),
  });
  const form = new Response(csvForm(productCsv(500)));
  const body = Buffer.from(await form.arrayBuffer());
  const request = http.request(`${api.url}/api/upload`, {
    method: 'POST',
    headers: {
      'content-type': form.headers.get('content-type') ?? '',
      'content-length': body.length,
      cookie: login.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? ''),
    },
  });
  request.on('error', () => {});
  // The api has the whole file and begins to store the import, which waits for the settings.
  const holder = await fixture.database.pool.connect();
  try {
    await holder.query('begin; set local idle_in_transaction_session_timeout = 0; lock table settings');
    request.end(body);
    await until('the import waits', async () => (await lockWaiters(fixture)) === 1);
    expect(await storedUnder(fixture.storage, '')).toHaveLength(1);
    const { socket } = request;
    if (!socket) throw new Error('The request has no connection');
    socket.end();
    await once(socket, 'close');
    await holder.query('commit');
  } finally {
    holder.release(true);
  }

  await until('the file is removed', async () => (await storedUnder(fixture.storage, '')).length === 0);
  const { rows } = await fixture.database.pool.query('select id from imports');
  expect(rows).toEqual([]);
});
