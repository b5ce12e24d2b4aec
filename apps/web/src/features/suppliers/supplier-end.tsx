import type { SupplierDetails } from '@draftshelf/contract/suppliers/supplier-page';
import { Group, Select } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { countOf } from '../../lib/intl.ts';
import { suppliersPath } from '../../lib/paths.ts';
import { Asked } from '../../ui/feedback/confirm.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { ReasonedButton } from '../../ui/reasoned-button.tsx';
import { BodyText, QuietText } from '../../ui/text.tsx';
import { TitledSection } from '../../ui/titled-section.tsx';
import classes from './suppliers.module.css';
import { mergedWords, useSupplierNames } from './suppliers-api.ts';

type Of = { supplier: SupplierDetails };

export function SupplierMerge({ supplier }: Of) {
  const { id, name, values, busy, merged } = supplier;
  const others = useSupplierNames().data?.filter((other) => other.id !== id) ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const into = others.find((other) => String(other.id) === chosen);
  const merge = useCall('mergeSupplier', {
    params: { id },
    failed: 'Couldn’t merge the suppliers',
    done: () => ({ title: 'Merging suppliers', text: `${name} is a part of ${into?.name} in a moment.` }),
  });
  const navigate = useNavigate();
  const start = () =>
    into && merge.mutate({ body: { into: into.id } }, { onSuccess: () => navigate(suppliersPath) });
  return (
    <TitledSection id="merge" title="Merge" gap="xs">
      {merged !== null && merged.twice > 0 && (
        <BodyText className="break-words numbers">{mergedWords(merged, name)}</BodyText>
      )}
      <QuietText>If {name} and another supplier are the same, make them one.</QuietText>
      {others.length === 0 ? (
        <BodyText>There is no other supplier.</BodyText>
      ) : (
        <Group gap="xs" className={classes.filters ?? ''}>
          <Select
            aria-label={`Merge ${name} into`}
            placeholder="Choose the supplier that stays"
            searchable
            data={others.map((other) => ({ value: String(other.id), label: other.name }))}
            value={chosen}
            onChange={setChosen}
            className={classes.search ?? ''}
          />
          <Asked
            button={(ask) => (
              <ReasonedButton
                variant="default"
                reason={into ? busy : 'Choose the supplier that stays first.'}
                loading={merge.isPending}
                onClick={ask}
              >
                Merge…
              </ReasonedButton>
            )}
            title={`Merge ${name} into ${into?.name}?`}
            confirm="Merge Suppliers"
            keep="Keep Both"
            onConfirm={start}
          >
            <p>
              {into?.name} gets the lists and products of {name}
              {values > 0 && ` and ${countOf(values, 'value')} of yours`}. Of products with the same SKU in
              both, the one stays that was listed last; the other one stays in the store as it is.
            </p>
            <p>{name} is gone then. This can’t be undone.</p>
          </Asked>
        </Group>
      )}
    </TitledSection>
  );
}

export function SupplierDeletion({ supplier: { id, name, values, busy } }: Of) {
  const deletion = useCall('deleteSupplier', {
    params: { id },
    failed: 'Couldn’t delete the supplier',
    done: () => ({ title: 'Deleting the supplier', text: `${name} is gone in a moment.` }),
  });
  const navigate = useNavigate();
  return (
    <TitledSection id="delete" title="Delete" gap="xs">
      <QuietText>
        Its imports stay, and nothing changes in the store. {name}’s next list will create a new supplier.
      </QuietText>
      <div>
        <Asked
          button={(ask) => (
            <ReasonedButton
              variant="default"
              color="red"
              reason={busy}
              loading={deletion.isPending}
              onClick={ask}
            >
              Delete Supplier…
            </ReasonedButton>
          )}
          title={`Delete ${name}?`}
          confirm="Delete Supplier"
          keep="Keep Supplier"
          onConfirm={() => deletion.mutate({}, { onSuccess: () => navigate(suppliersPath) })}
        >
          <p>
            {values === 0
              ? `What is known of the lists of ${name} is lost.`
              : `${countOf(values, 'value')} of yours ${values === 1 ? 'is' : 'are'} lost, and what is known of the lists of ${name}.`}{' '}
            Imports stay as they are, and nothing changes in the store. This can’t be undone.
          </p>
        </Asked>
      </div>
    </TitledSection>
  );
}
