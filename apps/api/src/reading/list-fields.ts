import { NameOfSupplier } from '@draftshelf/contract/suppliers/suppliers';
import {
  newSupplier,
  uploadFileDateField,
  uploadSupplierField,
  uploadSupplierNameField,
} from '@draftshelf/contract/wire';
import type { Db } from '@draftshelf/core/connection/database';
import { findSupplier } from '@draftshelf/core/suppliers/suppliers';
import type { ChosenSupplier } from '@draftshelf/core/work/runs';
import { z } from 'zod';
import { invalid } from '../http/refusal.ts';

type Fields = ReadonlyMap<string, string>;

/** Postgres has no larger ids. */
const SupplierId = z.coerce.number().int().min(1).max(2_147_483_647);

/** Whose list an upload is, as its sender says; undefined: it does not say. */
export async function chosenSupplier(db: Db, fields: Fields): Promise<ChosenSupplier | undefined> {
  const text = fields.get(uploadSupplierField);
  if (text === undefined) return undefined;
  if (text === '') return { supplier: null };
  if (text === newSupplier) return { name: newName(fields) };
  const id = SupplierId.safeParse(text);
  if (id.success && (await findSupplier(db, { id: id.data }))) return { supplier: id.data };
  throw invalid('This supplier doesn’t exist.', uploadSupplierField);
}

/** '': it is named by its list. */
function newName(fields: Fields): string {
  const text = fields.get(uploadSupplierNameField) ?? '';
  if (text.trim() === '') return '';
  const name = NameOfSupplier.safeParse(text);
  if (!name.success)
    throw invalid('This name isn’t supported. Use at most 100 characters.', uploadSupplierNameField);
  return name.data;
}

/** When the file of an upload was changed last; null: not known. */
export function fileDate(fields: Fields): Date | null {
  const text = fields.get(uploadFileDateField);
  if (text === undefined) return null;
  const date = z.iso.datetime({ offset: true }).safeParse(text);
  if (!date.success) throw invalid('The date of the file isn’t a date in ISO 8601.', uploadFileDateField);
  return new Date(date.data);
}
