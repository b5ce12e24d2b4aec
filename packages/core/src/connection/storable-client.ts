import { storableText } from '@draftshelf/domain/base/storable-text';
import pg from 'pg';
import { storableJson } from './storable-json.ts';

/**
 * A connection that passes on only what Postgres can store: every text in its parameters goes through `storableText`,
 * every object through `storableJson`. One NUL would fail the statement, and with it the other rows of the statement.
 */
export class StorableClient extends pg.Client {
  override query(...call: unknown[]): never {
    const [config, values, ...others] = call;
    const stored = Array.isArray(values) ? storableParameters(values) : values;
    return Reflect.apply(super.query, this, [withStorableValues(config), stored, ...others]) as never;
  }
}

/** Parameters of a statement as Postgres can store them. */
export function storableParameters(values: readonly unknown[]): unknown[] {
  return values.map(storableParameter);
}

function storableParameter(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return storableParameters(value);
  if (ArrayBuffer.isView(value) || value instanceof Date) return value;
  return storableJson(value);
}

/** pg also accepts a statement as an object with its values; a COPY is an object of its own without any. */
function withStorableValues(config: unknown): unknown {
  if (typeof config !== 'object' || config === null || !('values' in config)) return config;
  return Array.isArray(config.values) ? { ...config, values: storableParameters(config.values) } : config;
}
