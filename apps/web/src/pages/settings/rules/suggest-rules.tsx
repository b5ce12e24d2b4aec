import type { CategoryRule } from '@draftshelf/domain/rules/category-rule';
import { Group, Stack, Text } from '@mantine/core';
import { useSuggestion } from '../../../api/rules.ts';
import { Button } from '../../../components/button.tsx';
import { countOf } from '../../../lib/intl.ts';
import { ruleOfSuggestion } from './rule-words.ts';

/** While there are no rules: offers rules from the store's products. They are saved only by the operator. */
export function SuggestRules({ onSuggested }: { onSuggested: (rules: CategoryRule[]) => void }) {
  const suggestion = useSuggestion();
  const start = () =>
    suggestion.mutate(undefined, {
      onSuccess: ({ rules }) => rules.length > 0 && onSuggested(rules.map(ruleOfSuggestion)),
    });
  return (
    <Stack gap="xs">
      <Text size="sm">
        There are no rules yet. Rules can be proposed from your store: words that at least 90 % of the titles
        of a product type have, and no title of another type.
      </Text>
      <Group>
        <Button variant="default" loading={suggestion.isPending} onClick={start}>
          Propose Rules from My Store
        </Button>
      </Group>
      <Text size="sm" role="status">
        {suggestion.isError && `Couldn’t propose rules: ${suggestion.error.message}`}
        {suggestion.data?.rules.length === 0 &&
          (suggestion.data.products === 0
            ? 'Your store’s products have not been read yet. Use Sync Inventory on the Shopify page, then try again.'
            : `${countOf(suggestion.data.products, 'product')} of your store were compared. No type with at least 20 products has such a word.`)}
      </Text>
    </Stack>
  );
}
