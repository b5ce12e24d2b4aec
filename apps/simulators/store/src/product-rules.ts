import type { Catalogue, StoredProduct } from './catalogue.ts';
import { demoLocations } from './demo-shop.ts';
import { numberOfGid } from './gid.ts';
import { valueProblem } from './metafield-rules.ts';
import type { CustomId, Refusal, SetInput, SetMetafield } from './product-set-types.ts';
import { variantRefusals } from './variant-rules.ts';

const textLengthMax = 255;
const descriptionBytesMax = 512 * 1024;

/** The identifying metafield as the store compares it: an entry with a `type` does not count. */
export function customIdRefusal(customId: CustomId, input: SetInput): Refusal | null {
  if (!input.metafields) return null;
  const same = (one: SetMetafield) =>
    one.namespace === customId.namespace &&
    one.key === customId.key &&
    one.value === customId.value &&
    (one.type === undefined || one.type === null);
  if (input.metafields.some(same)) return null;
  return {
    code: 'METAFIELD_MISMATCH',
    field: ['input'],
    message: 'The input argument `metafields` (if present) must contain the `customId` value.',
  };
}

/** Refuses an input for a new (`existing` undefined) or existing product as the store does. */
export function inputRefusals(
  input: SetInput,
  existing: StoredProduct | undefined,
  catalogue: Catalogue,
): Refusal[] {
  return [
    ...textRefusals(input, existing, catalogue),
    ...variantRefusals(input, existing),
    ...fileRefusals(input, existing, catalogue),
    ...metafieldRefusals(input.metafields ?? [], existing, catalogue),
    ...placeRefusals(input, catalogue),
  ];
}

function textRefusals(input: SetInput, existing: StoredProduct | undefined, catalogue: Catalogue): Refusal[] {
  const refusals: Refusal[] = [];
  const missing = existing ? input.title !== undefined && !input.title?.trim() : !input.title?.trim();
  if (missing)
    refusals.push({ code: 'INVALID_PRODUCT', field: ['input', 'title'], message: "Title can't be blank" });
  if (tooLong(input.title)) {
    refusals.push({ code: 'INVALID_PRODUCT', field: ['input', 'title'], message: tooLongMessage });
  }
  const named = { Vendor: input.vendor, 'Product type': input.productType, Handle: input.handle };
  for (const [name, text] of Object.entries(named)) {
    if (tooLong(text)) {
      refusals.push({ code: 'INVALID_PRODUCT', field: ['input'], message: `${name} ${tooLongMessage}` });
    }
  }
  if (Buffer.byteLength(input.descriptionHtml ?? '') > descriptionBytesMax) {
    const message = 'Description is too big (maximum is 512 KB)';
    refusals.push({ code: 'INVALID_PRODUCT', field: ['input'], message });
  }
  if ((input.tags ?? []).some(tooLong)) {
    refusals.push({ code: 'INVALID_PRODUCT', field: ['input', 'tags'], message: 'Product tags is invalid' });
  }
  const holder = input.handle ? catalogue.productByHandle(input.handle) : undefined;
  if (holder && holder.id !== existing?.id) {
    const message = `Handle '${input.handle}' already in use. Please provide a new handle.`;
    refusals.push({ code: 'HANDLE_NOT_UNIQUE', field: ['input', 'handle'], message });
  }
  return refusals;
}

const tooLongMessage = `is too long (maximum is ${textLengthMax} characters)`;

function tooLong(text: string | null | undefined): boolean {
  return (text?.length ?? 0) > textLengthMax;
}

function fileRefusals(input: SetInput, existing: StoredProduct | undefined, catalogue: Catalogue): Refusal[] {
  return (input.files ?? []).flatMap((file, index): Refusal[] => {
    const place = ['input', 'files', String(index)];
    if (file.id) {
      const id = numberOfGid('MediaImage', file.id) ?? -1;
      const known = existing?.media.some((media) => media.id === id) || catalogue.looseFiles.has(id);
      return known ? [] : [{ code: 'NOT_FOUND', field: [...place, 'id'], message: 'File id does not exist' }];
    }
    if (isWebAddress(file.originalSource ?? '')) return [];
    return [{ code: 'INVALID_INPUT', field: [...place, 'originalSource'], message: 'Image URL is invalid' }];
  });
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\/[^/\s]+\S*$/i.test(text);
}

/** Refuses metafields as the store does. */
export function metafieldRefusals(
  metafields: readonly SetMetafield[],
  existing: StoredProduct | undefined,
  catalogue: Catalogue,
): Refusal[] {
  return metafields.flatMap((metafield, index): Refusal[] => {
    const refuse = (part: string, message: string, code = 'INVALID_METAFIELD'): Refusal[] => [
      { code, field: ['input', 'metafields', String(index), part], message },
    ];
    const { namespace, key, value } = metafield;
    if (!namespace || namespace.length < 3)
      return refuse('namespace', 'Namespace is too short (minimum is 3 characters)');
    if (!key || key.length < 2) return refuse('key', 'Key is too short (minimum is 2 characters)');
    if (!value) return refuse('value', "Value can't be blank");
    const definition = catalogue.definition('PRODUCT', namespace, key);
    const type = metafieldType(metafield, existing, catalogue);
    if (!type) return refuse('type', "Type can't be blank");
    if (definition && metafield.type && metafield.type !== definition.type) {
      return refuse('type', `Type must be consistent with the definition's type: '${definition.type}'`);
    }
    if (type === 'single_line_text_field' && /[\r\n]/.test(value)) {
      return refuse('value', 'Value must be a single line text string.');
    }
    const problem = valueProblem(value, type, definition);
    if (problem !== null) return refuse('value', problem);
    if (/^(app--|shopify)/.test(namespace) && !isAsBefore(metafield, existing)) {
      return refuse(
        'namespace',
        `Access to this namespace and key on Metafields for this resource type is not allowed.`,
      );
    }
    const holder = type === 'id' ? catalogue.productByCustomId(namespace, key, value) : undefined;
    if (holder && holder.id !== existing?.id) {
      return refuse('value', 'Value must be unique', 'CAPABILITY_VIOLATION');
    }
    return [];
  });
}

const isAsBefore = ({ namespace, key, value }: SetMetafield, existing: StoredProduct | undefined) =>
  existing?.metafields.some(
    (one) => one.namespace === namespace && one.key === key && one.value === value,
  ) === true;

/** A metafield's type: as given, else from its definition, else from the product. */
export function metafieldType(
  metafield: SetMetafield,
  existing: StoredProduct | undefined,
  catalogue: Catalogue,
): string | undefined {
  const { namespace, key } = metafield;
  return (
    metafield.type ??
    catalogue.definition('PRODUCT', namespace ?? '', key ?? '')?.type ??
    existing?.metafields.find((one) => one.namespace === namespace && one.key === key)?.type
  );
}

function placeRefusals(input: SetInput, catalogue: Catalogue): Refusal[] {
  const collections = (input.collections ?? []).flatMap((id, index): Refusal[] => {
    const collection = catalogue.collections.get(id);
    const field = ['input', 'collections', String(index)];
    if (!collection) return [{ code: 'NOT_FOUND', field, message: 'Collection does not exist' }];
    if (!collection.smart) return [];
    return [{ code: 'INVALID_INPUT', field, message: "Can't manually add products to a smart collection" }];
  });
  const quantities = (input.variants ?? []).flatMap((variant, index): Refusal[] => {
    const known = (variant.inventoryQuantities ?? []).every(({ locationId }) =>
      demoLocations.some(({ id }) => id === locationId),
    );
    const field = ['input', 'variants', String(index), 'inventoryQuantities'];
    return known ? [] : [{ code: 'INVALID_VARIANT', field, message: 'Location does not exist' }];
  });
  return [...collections, ...quantities];
}
