import type { SupplierDetails } from '@draftshelf/contract/suppliers/supplier-page';
import { Text, Title } from '@mantine/core';
import { countOf } from '../../lib/intl.ts';
import { Button } from '../../ui/button.tsx';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { signWords } from './supplier-words.ts';
import classes from './suppliers.module.css';
import { useSignForgetting } from './suppliers-api.ts';

/** By what the next list of a supplier is recognized, beside its products. */
export function SupplierSigns({ supplier: { id, name, signs } }: { supplier: SupplierDetails }) {
  const forgetting = useSignForgetting(id);
  const failure = useFailureToast();
  return (
    <section className="stack" aria-labelledby="signs">
      <Title order={2} id="signs" tabIndex={-1}>
        How its lists are recognized
      </Title>
      <Text size="sm" c="dimmed">
        A file is a list of {name} if it has its products. Where that isn’t sure, these help.
      </Text>
      {signs.length === 0 && <Text size="sm">Nothing else is known of its lists.</Text>}
      <ul className="list" aria-label="How its lists are recognized" data-focus-next="#signs">
        {signs.map((sign) => {
          const { kind, value, lists, lastAt } = sign;
          const words = signWords(sign);
          return (
            <li key={`${kind} ${value}`} className={`row ${classes.line}`}>
              <div className="grow">
                <Text size="sm" className="break-words">
                  {words}
                </Text>
                <Text size="sm" c="dimmed" className="numbers">
                  {countOf(lists, 'list')}, the last one <RelativeTime time={lastAt} />
                </Text>
              </div>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Forget: ${words}`}
                onClick={() =>
                  forgetting.mutate(
                    { kind, value },
                    { onError: (error) => failure.show('Couldn’t forget it', error.message) },
                  )
                }
              >
                Forget
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
