import { expect, test } from 'vitest';
import { createPreviewer } from './preview.ts';
import { changeOverrides, toEditorColumns } from './preview-mapping.ts';

test('changes of the editor are added to the overrides, or remove them', () => {
  const overrides = {
    Dealer: { field: 'price', by: 'memory', from: 'may.csv' },
    Code: { field: 'sku', by: 'operator' },
  } as const;
  expect(changeOverrides(overrides, { Code: 'detect', Colour: null })).toEqual({
    Dealer: overrides.Dealer,
    Colour: { field: null, by: 'operator' },
  });
});

test('the editor shows the columns of a preview with samples, and who set them', () => {
  const mapping = { Dealer: { field: 'price', by: 'memory', from: 'may.csv' } } as const;
  const previewer = createPreviewer({ mapping });
  previewer.push(new TextEncoder().encode('Title,Price,Dealer\nLamp,10,7\nVase,20,14\n'));
  const preview = previewer.end();
  if (preview === null) throw new Error('The file has rows');
  expect(toEditorColumns(preview)).toMatchObject([
    { header: 'Title', field: 'title', setBy: null, rememberedFrom: null, samples: ['Lamp', 'Vase'] },
    { header: 'Price', setBy: null, samples: ['10', '20'] },
    { header: 'Dealer', field: 'price', setBy: 'memory', rememberedFrom: 'may.csv', samples: ['7', '14'] },
  ]);
});
