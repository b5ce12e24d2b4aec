export const testAccessKey = 'right horse battery';

/** An answer of the api with its body. */
type Answer = { status: number; headers: Headers; body: unknown };

/** Calls of the api with a browser's cookie. */
export type ApiClient = {
  /** Calls with the cookie of the last login, as a browser does; `body` goes as JSON. */
  call(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
  login(accessKey?: string): Promise<Answer>;
  upload(form: FormData, path?: string): Promise<Answer>;
};

/** A client with a cookie jar for one cookie. */
export function browserOf(url: string): ApiClient {
  let cookie = '';
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const headers = new Headers(init.headers);
    if (cookie) headers.set('cookie', cookie);
    const response = await fetch(url + path, { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) cookie = set.split(';', 1)[0] ?? '';
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  const call: ApiClient['call'] = (method, path, options = {}) => {
    if (options.body === undefined) return send(path, { method, headers: options.headers ?? {} });
    const headers = { 'content-type': 'application/json', ...options.headers };
    return send(path, { method, headers, body: JSON.stringify(options.body) });
  };
  return {
    call,
    login: (accessKey = testAccessKey) => call('POST', '/api/auth/login', { body: { accessKey } }),
    upload: (form, path = '/api/upload') => send(path, { method: 'POST', body: form }),
  };
}

/** A multipart form with a CSV file; fields may come before or after the file. */
export function csvForm(
  csv: string | Uint8Array<ArrayBuffer>,
  options: {
    field?: string;
    filename?: string;
    type?: string;
    before?: Record<string, string>;
    after?: Record<string, string>;
  } = {},
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(options.before ?? {})) form.append(name, value);
  const file = new File([csv], options.filename ?? 'products.csv', { type: options.type ?? 'text/csv' });
  form.append(options.field ?? 'csv', file);
  for (const [name, value] of Object.entries(options.after ?? {})) form.append(name, value);
  return form;
}
