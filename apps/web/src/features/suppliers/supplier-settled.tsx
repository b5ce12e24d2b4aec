import type { SupplierDetails } from '@draftshelf/contract/suppliers/supplier-page';
import { Text, Title } from '@mantine/core';
import { Button } from '../../ui/button.tsx';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import classes from './suppliers.module.css';
import { useSettledEnd } from './suppliers-api.ts';

const stockWords = {
  'use-ours': 'Quantities that were sold or changed in the store: the file’s are sent.',
  skip: 'Quantities that were sold or changed in the store: the store’s stay.',
};

/** What was answered once for all lists of a supplier, at a push. */
export function SupplierSettled({ supplier }: { supplier: SupplierDetails }) {
  const { id, stockChoice, currencies } = supplier;
  const ending = useSettledEnd(id);
  const failure = useFailureToast();
  const settled = [
    ...(stockChoice === null
      ? []
      : [{ words: stockWords[stockChoice], body: { stockChoice: true as const } }]),
    ...currencies.map((currency) => {
      const [from, to] = currency.split(' as ');
      return { words: `Amounts in ${from} are sent as ${to}, without conversion.`, body: { currency } };
    }),
  ];
  return (
    <section className="stack" aria-labelledby="settled">
      <Title order={2} id="settled" tabIndex={-1}>
        Answered for all its lists
      </Title>
      {settled.length === 0 && <Text size="sm">Nothing yet. Some questions of a push are asked once.</Text>}
      <ul className="list" aria-label="Answered for all its lists" data-focus-next="#settled">
        {settled.map(({ words, body }) => (
          <li key={words} className={`row ${classes.line}`}>
            <Text size="sm" className="grow break-words">
              {words}
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Ask again: ${words}`}
              onClick={() =>
                ending.mutate(body, {
                  onError: (error) => failure.show('Couldn’t end the answer', error.message),
                })
              }
            >
              Ask Again
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
