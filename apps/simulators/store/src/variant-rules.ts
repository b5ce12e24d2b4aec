import type { StoredProduct } from './catalogue.ts';
import { numberOfGid } from './gid.ts';
import type { Refusal, SetInput, SetOption, SetVariant } from './product-set-types.ts';

const optionsMax = 3;
const variantsMax = 2048;
const amountMax = 10n ** 18n;

/** Errors of the store for the options and variants of an input. */
export function variantRefusals(input: SetInput, existing: StoredProduct | undefined): Refusal[] {
  const { productOptions, variants } = input;
  if (productOptions && !variants) {
    const message = 'Variants input is required when updating product options';
    return [{ code: 'VARIANTS_INPUT_MISSING', field: ['input', 'variants'], message }];
  }
  if (variants && !productOptions) {
    const message = 'Product options input is required when updating variants';
    return [{ code: 'PRODUCT_OPTIONS_INPUT_MISSING', field: ['input', 'productOptions'], message }];
  }
  if (!productOptions || !variants) return [];
  const options = optionRefusals(productOptions);
  if (options.length > 0) return options;
  if (variants.length > variantsMax) {
    const message = `Number of product variants exceeds the limit of ${variantsMax}`;
    return [{ code: 'VARIANTS_OVER_LIMIT', field: ['input', 'variants'], message }];
  }
  const seen = new Set<string>();
  return variants.flatMap((variant, index) => [
    ...amountRefusals(variant, index),
    ...optionValueRefusals(variant, index, productOptions, seen),
    ...identityRefusals(variant, index, existing),
  ]);
}

function optionRefusals(options: readonly SetOption[]): Refusal[] {
  if (options.length > optionsMax) {
    return [
      {
        code: 'OPTIONS_OVER_LIMIT',
        field: ['input', 'productOptions'],
        message: `Can only specify a maximum of ${optionsMax} options`,
      },
    ];
  }
  const names = new Set<string>();
  return options.flatMap((option, index): Refusal[] => {
    const place = ['input', 'productOptions', String(index)];
    const name = option.name ?? '';
    const values = (option.values ?? []).map((value) => value.name ?? '');
    if (name.includes(' / ')) {
      return [
        {
          code: 'INVALID_INPUT',
          field: [...place, 'name'],
          message: "The name contains unsupported sequence ' / '",
        },
      ];
    }
    if (names.has(name.toLowerCase())) {
      return [{ code: 'DUPLICATED_OPTION_NAME', field: place, message: 'Duplicated option name' }];
    }
    names.add(name.toLowerCase());
    if (values.length === 0) {
      return [
        {
          code: 'OPTION_VALUES_MISSING',
          field: place,
          message: 'Each option must have at least one option value specified',
        },
      ];
    }
    if (values.some((value) => value.length > 255)) {
      return [
        {
          code: 'INVALID_INPUT',
          field: [...place, 'values'],
          message: 'Option value name is too long (maximum is 255 characters)',
        },
      ];
    }
    if (new Set(values.map((value) => value.toLowerCase())).size < values.length) {
      return [
        { code: 'DUPLICATED_OPTION_VALUE', field: [...place, 'values'], message: 'Duplicated option value' },
      ];
    }
    return [];
  });
}

function optionValueRefusals(
  variant: SetVariant,
  index: number,
  options: readonly SetOption[],
  seen: Set<string>,
): Refusal[] {
  const place = ['input', 'variants', String(index)];
  for (const [at, chosen] of variant.optionValues.entries()) {
    const field = [...place, 'optionValues', String(at)];
    const option = options.find((one) => one.name === chosen.optionName);
    if (!option) return [{ code: 'OPTION_DOES_NOT_EXIST', field, message: 'Option does not exist' }];
    if (!option.values?.some((value) => value.name === chosen.name)) {
      return [{ code: 'OPTION_VALUE_DOES_NOT_EXIST', field, message: 'Option value does not exist' }];
    }
  }
  const values = options.map(
    (option) => variant.optionValues.find((one) => one.optionName === option.name)?.name,
  );
  const missing = options[values.indexOf(undefined)];
  if (missing) {
    const message = `You need to add option values for ${missing.name}`;
    return [{ code: 'INVALID_VARIANT', field: [...place, 'optionValues'], message }];
  }
  const title = values.join(' / ');
  if (seen.has(title.toLowerCase())) {
    const message = `The variant '${title}' already exists. Please change at least one option value.`;
    return [{ code: 'INVALID_VARIANT', field: place, message }];
  }
  seen.add(title.toLowerCase());
  return [];
}

function identityRefusals(
  variant: SetVariant,
  index: number,
  existing: StoredProduct | undefined,
): Refusal[] {
  if (!variant.id) return [];
  const id = numberOfGid('ProductVariant', variant.id);
  if (existing?.variants.some((one) => one.id === id)) return [];
  const field = ['input', 'variants', String(index), 'id'];
  return [{ code: 'PRODUCT_VARIANT_DOES_NOT_EXIST', field, message: 'Product variant does not exist' }];
}

function amountRefusals(variant: SetVariant, index: number): Refusal[] {
  const place = ['input', 'variants', String(index)];
  const amounts = [
    { amount: variant.price, field: [...place, 'price'], name: 'Price' },
    { amount: variant.compareAtPrice, field: [...place, 'compareAtPrice'], name: 'Compare at price' },
    {
      amount: variant.inventoryItem?.cost,
      field: [...place, 'inventoryItem', 'cost'],
      name: 'Cost per item',
    },
  ];
  const refusals = amounts.flatMap(({ amount, field, name }): Refusal[] => {
    if (amount === null || amount === undefined) return [];
    const refuse = (message: string): Refusal[] => [
      { code: 'INVALID_VARIANT', field, message: `${name} ${message}` },
    ];
    if (amount.startsWith('-')) return refuse('must be greater than or equal to 0');
    return BigInt(amount.split('.')[0] ?? '0') >= amountMax ? refuse(`must be less than ${amountMax}`) : [];
  });
  const weight = variant.inventoryItem?.measurement?.weight;
  if (weight && weight.value < 0) {
    const message = 'Weight must be greater than or equal to 0';
    refusals.push({ code: 'INVALID_VARIANT', field: [...place, 'inventoryItem', 'measurement'], message });
  }
  if (variant.barcode !== undefined && variant.barcodes) {
    const message = 'Only one of barcode and barcodes can be given';
    refusals.push({ code: 'INVALID_VARIANT', field: place, message });
  }
  const sku = variant.sku ?? variant.inventoryItem?.sku;
  for (const [name, text] of Object.entries({ SKU: sku, Barcode: variant.barcode })) {
    if ((text?.length ?? 0) <= 255) continue;
    const message = `${name} is too long (maximum is 255 characters)`;
    refusals.push({ code: 'INVALID_VARIANT', field: place, message });
  }
  return refusals;
}
