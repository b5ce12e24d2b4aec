import { expect, test } from 'vitest';
import { redactError } from './logger.ts';

/** An error as pg throws it. */
const fromPostgres = (message: string, fields: Record<string, string>) =>
  Object.assign(new Error(message), fields);

test('quotes of a row by Postgres are not logged, its constraint is', () => {
  const error = fromPostgres('new row for relation "rows" violates check constraint "rows_check"', {
    code: '23514',
    detail: 'Failing row contains (1, Secret shoe, 12.00).',
    where: 'COPY rows, line 1: "Secret shoe"',
    internalQuery: "insert into rows values ('Secret shoe')",
    constraint: 'rows_check',
    table: 'rows',
  });
  const redacted = redactError(new Error('The chunk failed', { cause: error }));
  expect(redacted).toMatchObject({
    type: 'Error',
    message: 'The chunk failed: new row for relation "rows" violates check constraint "rows_check"',
  });
  expect(redactError(error)).toMatchObject({ code: '23514', constraint: 'rows_check', table: 'rows' });
  expect(JSON.stringify([redacted, redactError(error)])).not.toContain('Secret');
});

test('for an invalid value the type is logged, the value is not', () => {
  const error = fromPostgres('invalid input syntax for type integer: "Secret "great" shoe"', {
    code: '22P02',
  });
  const redacted = redactError(new Error('The chunk failed', { cause: error }));
  expect(redacted).toMatchObject({ message: 'The chunk failed: invalid input syntax for type integer: "…"' });
  expect(JSON.stringify(redacted)).not.toContain('Secret');
});

test('each address that refused a connection is logged', () => {
  const refused = (address: string) => new Error(`connect ECONNREFUSED ${address}`);
  const error = Object.assign(new AggregateError([refused('::1'), refused('127.0.0.1')]), {
    code: 'ECONNREFUSED',
  });
  expect(redactError(error)).toMatchObject({
    code: 'ECONNREFUSED',
    errors: [{ message: 'connect ECONNREFUSED ::1' }, { message: 'connect ECONNREFUSED 127.0.0.1' }],
  });
});
