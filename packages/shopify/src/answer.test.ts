import { describe, expect, test } from 'vitest';
import { parseAnswer } from './answer.ts';
import { StoreRefused, StoreUnavailable } from './store-errors.ts';

const cost = {
  requestedQueryCost: 862,
  actualQueryCost: null,
  throttleStatus: { maximumAvailable: 4000, currentlyAvailable: 572, restoreRate: 200 },
};
const graphql = (code: string, more: object = {}) =>
  JSON.stringify({ errors: [{ message: 'said', extensions: { code, ...more } }], extensions: { cost } });

describe('errors that a retry may solve', () => {
  test('THROTTLED has the time that the bucket needs', () => {
    const { error, throttle } = parseAnswer(200, null, graphql('THROTTLED'));
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error).toMatchObject({ reason: 'throttled', waitMs: 1450 });
    expect(throttle).toEqual(cost.throttleStatus);
  });

  test('Retry-After is in decimal seconds', () => {
    const { error } = parseAnswer(429, '2.0', '{"errors":"Exceeded 4 calls per second"}');
    expect(error).toMatchObject({ reason: 'throttled', waitMs: 2000 });
  });

  test.each([
    [500, '{"errors":"Internal Server Error"}', 'server'],
    [502, '<html>Bad gateway</html>', 'server'],
    [402, '{"errors":"Unavailable Shop"}', 'locked'],
    [423, '{"errors":"This store is unavailable"}', 'locked'],
    [200, '{"data":{"shop"', 'server'],
    [200, '', 'server'],
    [200, graphql('INTERNAL_SERVER_ERROR'), 'fault'],
  ])('HTTP %i %s is %s', (status, text, reason) => {
    expect(parseAnswer(status, null, text).error).toMatchObject({ name: 'StoreUnavailable', reason });
  });
});

describe('errors that no retry solves', () => {
  test.each([
    [401, '{"errors":"[API] Invalid API key or access token"}', 'store', 'UNAUTHORIZED'],
    [403, '{"errors":"Unavailable Shop"}', 'store', 'FORBIDDEN'],
    [404, '{"errors":"Not Found"}', 'store', 'NOT_FOUND'],
    [301, '', 'store', 'REDIRECT'],
    [413, '', 'request', 'HTTP_413'],
    [200, graphql('MAX_COST_EXCEEDED'), 'request', 'MAX_COST_EXCEEDED'],
    [200, graphql('undefinedField'), 'request', 'undefinedField'],
  ])('HTTP %i %s', (status, text, scope, code) => {
    const { error } = parseAnswer(status, null, text);
    expect(error).toBeInstanceOf(StoreRefused);
    expect(error).toMatchObject({ scope, code });
  });

  test('a 403 names the app and its IP allowlist', () => {
    const { error } = parseAnswer(403, null, '');
    expect(error?.message).toMatch(/blocked or uninstalled, or its IP allowlist lacks the address/);
  });

  test('a missing permission is named', () => {
    const { error } = parseAnswer(
      200,
      null,
      graphql('ACCESS_DENIED', { requiredAccess: '`write_products` access scope.' }),
    );
    expect(error?.message).toBe('The access token is missing a permission: write_products access scope.');
    expect(error).toMatchObject({ scope: 'store' });
  });

  test('a missing id definition affects the whole store', () => {
    const said = "Metafield definition of type 'id' is required when using custom ids.";
    const text = JSON.stringify({
      errors: [{ message: said, extensions: { code: 'NOT_FOUND' } }],
      data: null,
    });
    expect(parseAnswer(200, null, text).error).toMatchObject({ scope: 'store', code: 'DEFINITION_MISSING' });
  });
});

test.each([
  [{ errors: [{ message: 'said', extensions: { code: 'undefinedField' } }] }, true],
  [
    { errors: [{ message: 'said', extensions: { code: 'ACCESS_DENIED' } }], data: { productSet: null } },
    true,
  ],
  [
    {
      errors: [{ message: 'said', extensions: { code: 'ACCESS_DENIED' } }],
      data: { productSet: { product: null, userErrors: [] } },
    },
    false,
  ],
  [{ errors: [{ message: 'said' }], data: { productSet: null } }, false],
  [{ errors: 'Not Found' }, true],
])('%j proves that nothing changed: %s', (body, hadNoEffect) => {
  const status = typeof body.errors === 'string' ? 404 : 200;
  expect(parseAnswer(status, null, JSON.stringify(body)).error).toMatchObject({ hadNoEffect });
});

test('data is returned with the bucket', () => {
  const charged = { ...cost, requestedQueryCost: 13, actualQueryCost: 13 };
  const answer = parseAnswer(
    200,
    null,
    JSON.stringify({ data: { shop: {} }, extensions: { cost: charged } }),
  );
  expect(answer).toEqual({
    data: { shop: {} },
    error: null,
    throttle: cost.throttleStatus,
  });
});
