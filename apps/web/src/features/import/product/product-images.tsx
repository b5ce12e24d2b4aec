import { picturesOf } from '@draftshelf/domain/products/images';
import { Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { PictureStrip } from './picture-strip.tsx';
import type { ProductForm } from './use-product-form.ts';

/** The pictures of a row, in an order that can be changed. `children`: the fields with their addresses. */
export function ProductImages({ form, children }: { form: ProductForm; children: ReactNode }) {
  const image = form.textOf('image');
  const srcs = picturesOf({ image, moreImages: form.textOf('moreImages') }).map(({ src }) => src);
  const isMainInvalid = image.trim() !== '' && picturesOf({ image }).length === 0;
  const [isOpen, setOpen] = useState(srcs.length === 0 || isMainInvalid);
  const around = useRef<HTMLDivElement>(null);
  const { product, row } = form;
  const others = [product.first, ...product.rows].filter(
    (other) => other.row !== row.row && picturesOf(other.values).length > 0,
  );
  return (
    <div ref={around} className="stack" tabIndex={-1}>
      {isMainInvalid && (
        <Text size="sm" c="var(--text-warning)">
          Invalid: the image isn’t a web address that begins with http:// or https://.
        </Text>
      )}
      {srcs.length > 0 && (
        <PictureStrip
          srcs={srcs}
          hasMain={others.every((other) => other.row > row.row)}
          checkedUrl={row.image?.state === 'ok' ? picturesOf(row.values)[0]?.src : undefined}
          isLocked={form.lock !== null}
          onChange={(next) => {
            if (next.length === 0) around.current?.focus();
            form.setPictures(next);
          }}
        />
      )}
      {srcs.length === 0 && !isMainInvalid && (
        <Text size="sm" c="dimmed">
          No Image
        </Text>
      )}
      {others.length > 0 && (
        <Text size="xs" c="dimmed">
          Other rows of this product have pictures, too. A push sends all of them, in the order of the rows.
        </Text>
      )}
      <div className="row-wrap">
        <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide Addresses' : 'Show Addresses'}
        </Button>
        {[form.undoOf('image'), form.undoOf('moreImages')].includes('change') && (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label="Undo changes to pictures"
            onClick={() => {
              around.current?.focus();
              form.undoPictures();
            }}
          >
            Undo
          </Button>
        )}
      </div>
      {isOpen && children}
    </div>
  );
}
