import { expect, test } from 'vitest';
import { tellError } from './redact-error.ts';

/** An error as pg throws it. */
const fromPostgres = (message: string, fields: Record<string, string>) =>
  Object.assign(new Error(message), fields);

test('what Postgres quotes of a row is not told, its constraint is', () => {
  const error = fromPostgres('new row for relation "rows" violates check constraint "rows_check"', {
    code: '23514',
    detail: 'Failing row contains (1, Secret shoe, 12.00).',
    where: 'COPY rows, line 1: "Secret shoe"',
    internalQuery: "insert into rows values ('Secret shoe')",
    constraint: 'rows_check',
    table: 'rows',
  });
  const told = tellError(new Error('The chunk failed', { cause: error }));
  expect(told).toMatchObject({
    type: 'Error',
    message: 'The chunk failed: new row for relation "rows" violates check constraint "rows_check"',
  });
  expect(tellError(error)).toMatchObject({ code: '23514', constraint: 'rows_check', table: 'rows' });
  expect(JSON.stringify([told, tellError(error)])).not.toContain('Secret');
});

test('of a value that Postgres cannot read, the kind is told and the value is not', () => {
  const error = fromPostgres('invalid input syntax for type integer: "Secret "great" shoe"', {
    code: '22P02',
  });
  const told = tellError(new Error('The chunk failed', { cause: error }));
  expect(told).toMatchObject({ message: 'The chunk failed: invalid input syntax for type integer: "…"' });
  expect(JSON.stringify(told)).not.toContain('Secret');
});

test('an address that refused is told of each try', () => {
  const refused = (address: string) => new Error(`connect ECONNREFUSED ${address}`);
  const error = Object.assign(new AggregateError([refused('::1'), refused('127.0.0.1')]), {
    code: 'ECONNREFUSED',
  });
  expect(tellError(error)).toMatchObject({
    code: 'ECONNREFUSED',
    errors: [{ message: 'connect ECONNREFUSED ::1' }, { message: 'connect ECONNREFUSED 127.0.0.1' }],
  });
});
