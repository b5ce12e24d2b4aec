import { expect, it } from 'vitest';
import { CallError, NoReplyError } from '../../api/call.ts';
import {
  addSavedProduct,
  mayHaveBeenSaved,
  readConflictingProduct,
  readRefusedField,
  readStoreState,
  type ShownScanned,
} from './scanner-api.ts';

const product = (id: string, name: string) => ({ id, name }) as ShownScanned;
const page = (...products: ShownScanned[]) => ({
  search: '',
  products,
  total: products.length,
  nextBefore: null,
});
const library = { pages: [page(product('2', 'Lamp')), page(product('1', 'Vase'))], pageParams: [null, 'x'] };
const names = (saved: ShownScanned, listed = library) =>
  addSavedProduct(listed, saved)?.pages.map(({ products, total }) => [
    products.map(({ name }) => name),
    total,
  ]);

it('a new product is the first of the library, and a changed one keeps its place', () => {
  expect(names(product('3', 'Rug'))).toEqual([
    [['Rug', 'Lamp'], 2],
    [['Vase'], 2],
  ]);
  expect(names(product('1', 'Tall vase'))).toEqual([
    [['Lamp'], 1],
    [['Tall vase'], 1],
  ]);
  const found = { ...library, pages: library.pages.map((one) => ({ ...one, search: 'a' })) };
  expect(names(product('3', 'Rug'), found)).toEqual([
    [['Lamp'], 1],
    [['Vase'], 1],
  ]);
});

const refused = (status: number, body: object) => new CallError(status, '', null, { body });

it('a refusal names the product that the store has already, and the field', () => {
  const current = { title: 'Vase', storeUrl: 'https://shop.example/1' };
  expect(readStoreState(refused(409, { code: 'in_store', current }))).toEqual(current);
  expect(readStoreState(refused(409, { code: 'busy' }))).toBeNull();
  expect(readRefusedField(refused(400, { field: 'price' }))).toBe('price');
  expect(readRefusedField(new Error('no reply'))).toBeNull();
});

it('a save is without an answer if the server has said nothing of its own', () => {
  const own = { message: 'The database is unavailable right now.' };
  expect(mayHaveBeenSaved(new NoReplyError(null))).toBe(true);
  expect(mayHaveBeenSaved(refused(502, {}))).toBe(true);
  expect(mayHaveBeenSaved(new CallError(503, own.message, own))).toBe(false);
  expect(mayHaveBeenSaved(refused(413, {}))).toBe(false);
});

it('only a conflict has the product as it is stored', () => {
  const current = { id: '1', name: 'Vase', sku: 'V', price: 5 };
  const own = { message: 'Changed', current };
  expect(readConflictingProduct(new CallError(409, 'Changed', own))).toMatchObject({
    price: '5',
    version: null,
  });
  expect(readConflictingProduct(new CallError(409, 'Busy', { message: 'Busy' }))).toBeNull();
  expect(readConflictingProduct(new CallError(400, 'Changed', own))).toBeNull();
});
