import { newSupplier } from '@draftshelf/contract/wire';
import { Text } from '@mantine/core';
import { countOf } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import type { FoundSupplier } from './found-supplier.ts';

type SupplierLineProps = {
  found: FoundSupplier | undefined;
  /** The operator's answer, as the upload sends it; null: none. */
  chosen: string | null;
  onChoose: (supplier: string | null) => void;
};

/** Whose list a file is, once it has been read. Nothing for a new supplier, or if that can't be found out. */
export function SupplierLine({ found, chosen, onChoose }: SupplierLineProps) {
  const { is, supplier, last } = found ?? {};
  if (!supplier) return null;
  if (is === 'certain') {
    return (
      <Text size="sm" className="numbers break-words">
        {supplier.name}’s list.
        {last && ` Last one: ${last.filename}, ${countOf(last.items, 'product')}.`}
      </Text>
    );
  }
  const answer = (value: string, words: string) => (
    <Button
      size="compact-sm"
      variant={chosen === value ? 'filled' : 'default'}
      aria-pressed={chosen === value}
      onClick={() => onChoose(chosen === value ? null : value)}
    >
      {words}
    </Button>
  );
  return (
    <fieldset className="row-wrap flush" style={{ padding: 0, border: 0 }} aria-label="Whose list is this?">
      <Text size="sm" span>
        Whose list is this?
      </Text>
      {answer(String(supplier.id), supplier.name)}
      {answer(newSupplier, 'Another supplier')}
    </fieldset>
  );
}
