import { afterEach, expect, test, vi } from 'vitest';
import { buildUrl, CallError, call, createCallError, messageOf, parseReply, toCacheKey } from './call.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('an error message is the status and our message, else the body, else the status text', () => {
  expect(
    createCallError(409, 'Conflict', '{"code":"conflict","message":"It is already running."}').message,
  ).toBe('409: It is already running.');
  expect(createCallError(500, 'Internal Server Error', 'boom').message).toBe('500: boom');
  expect(createCallError(502, 'Bad Gateway', '').message).toBe('502: Bad Gateway');
  expect(createCallError(400, 'Bad Request', '{"error":"no"}').message).toBe('400: {"error":"no"}');
});

test('our own message is also available without the status', () => {
  expect(createCallError(413, '', '{"code":"too_large","message":"Too large."}')).toMatchObject({
    status: 413,
    serverMessage: 'Too large.',
  });
  expect(createCallError(500, '', 'boom').serverMessage).toBeNull();
});

test('an error without words gets others', () => {
  expect(messageOf(createCallError(500, '', 'boom'), 'none')).toBe('500: boom');
  expect(messageOf(createCallError(500, '', ''), 'none')).toBe('none');
  expect(messageOf(new Error(), 'none')).toBe('none');
});

test('a URL has its parameters and only the defined query values', () => {
  expect(buildUrl('/api/queue/:id/rows', { id: 'a/b' }, { after: 0, limit: 25, q: undefined })).toBe(
    '/api/queue/a%2Fb/rows?after=0&limit=25',
  );
  expect(() => buildUrl('/api/queue/:id', {})).toThrow('needs the parameter id');
});

test('the segments of a cache key join to the path', () => {
  expect(toCacheKey('/api/queue/:id/rows', { id: 'x' }).join('/')).toBe('/api/queue/x/rows');
  expect(toCacheKey('/api/queue')).toEqual(['/api/queue']);
  expect(toCacheKey('/api/queue/:id', { id: 'x' }, { after: 25 })).toEqual([
    '/api/queue',
    'x',
    { after: 25 },
  ]);
});

test('a reply is an object or list in JSON, else the call is named', () => {
  const reply = { success: true, message: 'Signed out.' };
  expect(parseReply('logout', JSON.stringify(reply))).toEqual(reply);
  for (const text of ['', '<h1>Welcome</h1>', 'null', '"Done."']) {
    expect(() => parseReply('logout', text)).toThrow('Unexpected response from POST /api/auth/logout');
  }
});

test('the type of a body is sent with a body only, and the session with every call', async () => {
  const sent: RequestInit[] = [];
  vi.stubGlobal('fetch', async (_url: string, options: RequestInit) => {
    sent.push(options);
    return Response.json({ success: true, message: 'Done.' });
  });
  await call('login', { body: { accessKey: 'a key' } });
  await call('logout');
  const browser = { 'x-draftshelf-browser': expect.stringMatching(/^[\w-]{36}$/) };
  const json = { 'content-type': 'application/json', ...browser };
  expect(sent).toEqual([
    { method: 'POST', credentials: 'include', headers: json, body: '{"accessKey":"a key"}' },
    { method: 'POST', credentials: 'include', headers: browser },
  ]);
});

test('a read without a session throws', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ code: 'unauthorized', message: 'Sign in.' }, { status: 401 }),
  );
  const read = call('authStatus');
  await expect(read).rejects.toThrow(CallError);
  await expect(read).rejects.toThrow('401: Sign in.');
});
