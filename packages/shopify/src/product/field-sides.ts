import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { Difference } from '@draftshelf/domain/push/push-plan';
import { payloadHash } from '../payload-hash.ts';
import { type DriftedField, fieldKey, keepCommonOptions, pickVariantValues } from './drifted-fields.ts';
import { productFieldList, variantFieldList } from './fields.ts';
import { type IntendedProduct, toIntendedProduct } from './intended-product.ts';
import { type ComparedPart, comparedParts, type LiveProduct } from './live-product.ts';
import { isEqual, mapById } from './undo-sides.ts';
import { findVariantId, identifyVariants } from './variant-identity.ts';
import { optionsText, productOptionsText, variantFieldName, variantName } from './variant-names.ts';

/**
 * A field that was changed in the store. `isOurs`: we have changed it, too. `isThere`: the store already has our
 * value, for example from a late write. `values`: a hash of the store's value and ours.
 */
export type FieldChange = {
  field: DriftedField;
  key: string;
  isOurs: boolean;
  isThere: boolean;
  values: string;
  shown: Difference[];
};

/**
 * Returns both sides of fields that were changed in the store. `hasVariant`: whether the file has the draft's variant
 * at an index. If it has, a variant deleted or added in the store counts as changed by us, too.
 */
export function compareFieldChanges(
  fields: readonly DriftedField[],
  draft: DraftProduct,
  of: { sent: DraftProduct; seen: LiveProduct; live: LiveProduct; hasVariant: (at: number) => boolean },
): FieldChange[] {
  const [next, sent] = [toIntendedProduct(draft), toIntendedProduct(of.sent)];
  const variants = identifyVariants(draft, of).map((one, at) => ({ ...one, at }));
  const ours = new Map(variants.map((one) => [findVariantId(one), one]));
  const inStore = mapById(of.live.variants);
  const sides = (field: DriftedField): { store: unknown; next: unknown; sent: unknown } => {
    const { part, variant, keys, change } = field;
    if (part === 'options') {
      const values = [
        keepCommonOptions(next.options, sent.options),
        keepCommonOptions(sent.options, next.options),
      ];
      return { store: of.live.options, next: values[0], sent: values[1] };
    }
    if (part !== 'variants') {
      const { said, value } = comparedParts[part];
      const [a, b] = [next, sent].map((product) => said.map((name) => product[name]));
      return { store: value(of.live), next: a, sent: b };
    }
    const [one, now] = [ours.get(variant), inStore.get(variant ?? '')];
    const values = (side: object | undefined) => side && pickVariantValues(side, keys ?? ['options']);
    const isIn = change !== 'deleted' || (one && of.hasVariant(one.at));
    return {
      store: values(now),
      next: isIn ? values(one?.next) : undefined,
      sent: change === undefined ? values(one?.sent) : undefined,
    };
  };
  const seen = mapById(of.seen.variants);
  const shown = (field: DriftedField): Difference[] => {
    const { part, variant = '', keys, change } = field;
    if (part !== 'variants') return shownPart(part, of.live, next);
    const now = inStore.get(variant);
    const [named, one] = [now ?? seen.get(variant), ours.get(variant)?.next];
    const name = named ? variantName(named) : '';
    if (change) return [{ part, name, ...texts(now?.price, one?.price) }];
    const options = [now, one].map((side) => side && optionsText(side));
    const values = variantFieldList.map(({ key, name: of, text }) => ({
      ...{ key, of },
      ...texts(now && text(now[key]), one && text(one[key])),
    }));
    return [{ key: 'options' as const, of: 'options', ...texts(options[0], options[1]) }, ...values].flatMap(
      ({ key, of, ...both }) =>
        keys?.includes(key) && both.store !== both.push
          ? [{ part, name: variantFieldName(name, of), ...both }]
          : [],
    );
  };
  return fields.map((field) => {
    const { store, next: a, sent: b } = sides(field);
    const values = payloadHash({ store: store ?? null, ours: a ?? null });
    const both = shown(field);
    const isOurs = !isEqual(a ?? null, b ?? null);
    // Images are shown as a count, and added or deleted variants as a price, so equal texts do not prove equal values.
    const isWhole = field.part !== 'images' && field.change === undefined;
    const isThere = isWhole && both.every(({ store, push }) => store === push);
    return { field, key: fieldKey(field), isOurs, isThere, values, shown: both };
  });
}

const texts = (store: string | undefined, push: string | undefined) => ({
  store: store || null,
  push: push || null,
});

function shownPart(
  part: Exclude<ComparedPart, 'variants'>,
  live: LiveProduct,
  next: IntendedProduct,
): Difference[] {
  const text = productFieldList.find(({ name }) => name === part);
  const both = {
    tags: () => texts([...live.tags].sort().join(', '), [...next.tags].sort().join(', ')),
    options: () => texts(productOptionsText(live), productOptionsText(next)),
    images: () => texts(String(live.media.length), String(next.images.length)),
  };
  const values = text
    ? texts(text.text(live[text.key]), text.text(next[text.key]))
    : both[part as keyof typeof both]();
  return [{ part, name: '', ...values }];
}
