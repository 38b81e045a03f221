import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import styles from './data-table.module.css';

export interface Column<Row> {
  readonly id: string;
  /** Includes the unit if the cells are numbers. */
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  readonly numeric?: boolean;
  /** Hides the column if the table is narrower than 1100 px, 920 px, 720 px, or 560 px, in this order. */
  readonly hideBelow?: 'widest' | 'wide' | 'medium' | 'narrow';
  readonly width?: string;
  /**
   * The text of the cells, for columns whose cells stay on one line. Text that does not fit is cut off and shown in
   * full on hover.
   */
  readonly text?: (row: Row) => string;
  /** The name of the column in the sort order of the URL. Undefined if the rows cannot be sorted by the column. */
  readonly sortKey?: string | undefined;
  /** A note that appears on hover. It says why the rows cannot be sorted by the column, or what they are sorted by. */
  readonly orderNote?: string;
  /** True if the first click sorts in descending order, which suits numbers and past times. */
  readonly descendsFirst?: boolean;
}

export interface Sorting {
  /** The `sortKey` of the sorted column. A minus sign in front means descending order. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly toggleAll: () => void;
}

export interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly rowLabel?: (row: Row) => string;
  readonly selection?: Selection;
  readonly sorting?: Sorting;
  /** The id of the column by which the rows are always sorted. A minus sign in front means descending order. */
  readonly order?: string;
  /** Called when the last rows come into view, and again until there are more rows. */
  readonly onEnd?: (() => void) | undefined;
}

const ROW_HEIGHT_PX = 41;
const OVERSCAN_ROWS = 15;

/**
 * A table that renders only the rows in view, so that a hundred thousand rows are as fast as ten. A row opens by a
 * click anywhere on it, or by Enter on its link (`data-row-link`).
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowId,
  rowLabel,
  selection,
  sorting,
  order,
  onEnd,
}: DataTableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const virtual = useRowsInView(body, rows.length);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= rows.length - OVERSCAN_ROWS) onEnd?.();
  }, [last, rows.length, onEnd]);

  const margin = virtual.options.scrollMargin;
  const before = (items[0]?.start ?? margin) - margin;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin);
  return (
    <div className={styles.container}>
      <table className={styles.table} aria-rowcount={rows.length + 1}>
        <caption className={styles.caption}>{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {selection !== undefined && <SelectAll selection={selection} count={rows.length} />}
            {columns.map((column) => (
              <Head key={column.id} column={column} sorting={sorting} order={order} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Spacer height={before} />
          {items.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const id = rowId(row);
            return (
              <tr
                key={id}
                data-index={index}
                aria-rowindex={index + 2}
                aria-selected={selection?.ids.has(id)}
                ref={virtual.measureElement}
                onClick={openRow}
              >
                {selection !== undefined && (
                  <SelectRow selection={selection} id={id} label={`Select ${rowLabel?.(row) ?? id}`} />
                )}
                {columns.map((column) => (
                  <td key={column.id} className={cellClass(column)} title={column.text?.(row)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Spacer height={after} />
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
  readonly order: string | undefined;
}

function Head<Row>({ column, sorting, order }: HeadProps<Row>) {
  const { id, sortKey, descendsFirst = false, header, orderNote, width } = column;
  const shared = { scope: 'col', className: cellClass(column), style: { width }, title: orderNote } as const;
  if (sorting === undefined || sortKey === undefined) {
    const fixed = sorting === undefined ? directionIn(order, id) : undefined;
    const Arrow = fixed === 'ascending' ? ArrowUp : ArrowDown;
    return (
      <th {...shared} aria-sort={fixed}>
        {fixed === undefined ? (
          header
        ) : (
          <span className={styles.fixed}>
            {header}
            <Arrow size={12} aria-hidden />
          </span>
        )}
      </th>
    );
  }
  const direction = directionIn(sorting.sort, sortKey);
  const descends = direction === undefined ? descendsFirst : direction === 'ascending';
  const Icon = direction === undefined ? ChevronsUpDown : direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th {...shared} aria-sort={direction}>
      <button
        type="button"
        className={styles.sort}
        data-sorted={direction !== undefined}
        onClick={() => sorting.onSort(descends ? `-${sortKey}` : sortKey)}
      >
        {header}
        <Icon size={12} aria-hidden />
      </button>
    </th>
  );
}

function directionIn(order: string | undefined, name: string): 'ascending' | 'descending' | undefined {
  if (order === name) return 'ascending';
  return order === `-${name}` ? 'descending' : undefined;
}

function useRowsInView(body: React.RefObject<HTMLTableSectionElement | null>, count: number) {
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top;
    if (top !== undefined) setScrollMargin(Math.round(top + window.scrollY));
  }, [body, count]);
  return useWindowVirtualizer({ count, estimateSize: () => ROW_HEIGHT_PX, overscan: OVERSCAN_ROWS, scrollMargin });
}

/**
 * Fills the room of the rows that are not rendered. It has a single cell, because with `colSpan` the cell would also
 * count hidden columns and keep room for them.
 */
function Spacer({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td className={styles.spacer} style={{ height }} />
    </tr>
  );
}

function SelectAll({ selection, count }: { readonly selection: Selection; readonly count: number }) {
  const all = count > 0 && selection.ids.size === count;
  return (
    <th scope="col" className={styles.select}>
      <input
        type="checkbox"
        aria-label="Select all loaded rows"
        checked={all}
        ref={(box) => {
          if (box !== null) box.indeterminate = selection.ids.size > 0 && !all;
        }}
        onChange={selection.toggleAll}
      />
    </th>
  );
}

function SelectRow({
  selection,
  id,
  label,
}: {
  readonly selection: Selection;
  readonly id: string;
  readonly label: string;
}) {
  return (
    <td className={styles.select}>
      <input type="checkbox" aria-label={label} checked={selection.ids.has(id)} onChange={() => selection.toggle(id)} />
    </td>
  );
}

function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const target = event.target as Element;
  if (target.closest('a, button, input, label, select') !== null || getSelection()?.type === 'Range') return;
  if (!event.currentTarget.contains(target)) return;
  event.currentTarget.querySelector<HTMLElement>('[data-row-link]')?.click();
}

function cellClass<Row>({ numeric, hideBelow }: Column<Row>): string {
  return [numeric === true && styles.numeric, hideBelow !== undefined && styles[hideBelow]].filter(Boolean).join(' ');
}
