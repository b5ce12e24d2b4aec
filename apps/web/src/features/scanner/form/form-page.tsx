import { Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import type { NewCode } from '../scan/scanning.tsx';
import classes from '../scanner.module.css';
import { type ShownScanned, useScanned } from '../scanner-api.ts';
import { ScannedForm } from './scanned-form.tsx';

type FormPageProps = {
  /** Null: a new product. */
  id: string | null;
  /** The product in the library, if the library has been read. */
  listed: ShownScanned | null;
  /** The code that was scanned last; null: none. */
  scanned: NewCode | null;
  onScan: () => void;
  onSaved: (id: string) => void;
  onCancel: () => void;
};

/** The form at its address. A product that the library does not show is read first. */
export function FormPage({ id, listed, scanned, onScan, onSaved, onCancel }: FormPageProps) {
  // The values that were shown stay until they are saved: another read must not replace them.
  const [product, setProduct] = useState(listed);
  const read = useScanned(product === null ? id : null);
  if (product === null && read.data !== undefined) setProduct(read.data);
  if (id === null || product !== null) {
    return <ScannedForm {...{ product, scanned, onScan, onSaved, onCancel }} />;
  }
  return (
    <div className={classes.scanner}>
      <title>Edit Product · Draftshelf</title>
      <PageHeader title="Edit Product">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </PageHeader>
      <ReadFailure what="the product" reads={[read]} />
      {read.isError ? (
        <Text size="sm" mt="sm">
          It may have been deleted meanwhile.
        </Text>
      ) : (
        <Stack gap="md" maw="var(--form-width-max)" aria-hidden>
          {['photos', 'upc', 'name', 'sku', 'description'].map((place) => (
            <Skeleton key={place} height={56} />
          ))}
        </Stack>
      )}
    </div>
  );
}
