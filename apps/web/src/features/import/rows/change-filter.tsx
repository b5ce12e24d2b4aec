import type { RowChange } from '@draftshelf/domain/suppliers/list';
import { Menu } from '@mantine/core';
import { IconGitCompare } from '@tabler/icons-react';
import { formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { changeWords } from '../list/row-words.ts';
import { withChange } from '../rows-address.ts';
import { ClearFilter } from './clear-filter.tsx';
import filters from './row-filters.module.css';
import { useRowsReview } from './rows-review.ts';

const changeNames = Object.keys(changeWords) as RowChange[];

/** Filters by what differs from the supplier's earlier list, and by what was carried over from it. */
export function ChangeFilter() {
  const { record, address, addressNow, show } = useRowsReview();
  const { change } = address;
  const counts = { ...record.list?.counts, carried: record.list?.carried?.rows };
  const found = changeNames.filter((name) => (counts[name] ?? 0) > 0 || name === change);
  if (found.length === 0) return null;
  const words = change === undefined ? 'Changes' : changeWords[change];
  const filterBy = (next: RowChange | null) => show(withChange(addressNow(), next));
  return (
    <div className={`row ${filters.values}`} data-filtered={change !== undefined || undefined}>
      <Menu position="bottom-end" transitionProps={{ duration: 100 }} hideDetached={false}>
        <Menu.Target>
          <Button
            variant={change === undefined ? 'default' : 'filled'}
            size="compact-md"
            title="Filter by what differs from the earlier list"
            aria-label={change === undefined ? 'Changes' : `Changes, ${words}`}
          >
            <IconGitCompare size={16} aria-hidden />
            <span className={`ellipsis ${filters.valueWords}`}>{words}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label="Changes">
          {found.map((name) => (
            <Menu.Item
              key={name}
              aria-current={name === change || undefined}
              rightSection={<span className="numbers quiet">{formatCount(counts[name] ?? 0)}</span>}
              onClick={() => filterBy(name)}
            >
              {changeWords[name]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {change !== undefined && (
        <ClearFilter words="Show rows with any change" onClear={() => filterBy(null)} />
      )}
    </div>
  );
}
