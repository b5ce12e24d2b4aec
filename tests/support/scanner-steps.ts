import { randomUUID } from 'node:crypto';
import type { ScannedInput, ScannedProduct } from '@draftshelf/contract/scanner/scanner';
import { jpegOf, jpegParts } from '@draftshelf/domain/testing/sample-pictures';
import type { ApiClient } from './api-client.ts';

export const scannerPath = '/api/scanner/products';

/** A photo as a data URL. Each width is another photo. */
export const photoData = (width: number): string =>
  `data:image/jpeg;base64,${Buffer.from(jpegOf(jpegParts(width, 30))).toString('base64')}`;

/** What the form sends for a product without further values. */
export const scanned = (name: string, more: Partial<ScannedInput> = {}): ScannedInput => ({
  name,
  description: '',
  price: '24.99',
  sku: `S-${name}`,
  dimensions: { length: '', width: '', height: '', unit: 'in' },
  weight: { value: '', unit: 'lb' },
  photos: [],
  selectedBatch: 'none',
  ...more,
});

/** Steps of an operator with the scanner's library, through the api. */
export function scannerSteps(api: () => Pick<ApiClient, 'call'>) {
  const save = (body: unknown) => api().call('POST', scannerPath, { body });
  const update = (id: string, body: unknown) => api().call('PUT', `${scannerPath}/${id}`, { body });
  return {
    save,
    update,
    /** Saves a product under an id of the client. */
    async saved(name: string, more: Partial<ScannedInput> = {}): Promise<ScannedProduct> {
      const { status, body } = await save({ id: randomUUID(), ...scanned(name, more) });
      if (status !== 201) throw new Error(`Not saved: ${status} ${JSON.stringify(body)}`);
      return body as ScannedProduct;
    },
    read: (id: string) => api().call('GET', `${scannerPath}/${id}`),
    remove: (id: string) => api().call('DELETE', `${scannerPath}/${id}`),
    sync: (id: string, body?: unknown) => api().call('POST', `${scannerPath}/${id}/sync-shopify`, { body }),
  };
}
