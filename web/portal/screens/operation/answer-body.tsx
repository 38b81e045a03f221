import { ChevronDown, ChevronRight, ChevronUp } from 'lucide-react';
import { useMemo, useState } from 'react';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { Button, IconButton } from '../../../shared/ui/controls/button.tsx';
import { CopyIcon } from '../../../shared/ui/controls/copy.tsx';
import { ScrollBox } from '../../../shared/ui/data/scroll-box.tsx';
import { bodyLines, firstFolds, matchingLines, unfoldAround, visibleLines } from '../../reference/call/json-lines.ts';
import { Code } from '../../code/code.tsx';
import styles from './answer-body.module.css';

/** The number of lines that are shown at once. Each is an element of the page, so more are shown on demand. */
const LINES_AT_ONCE = 500;
/** The number of lines from which a body can be searched. A shorter one is quick to read. */
const MIN_SEARCHED = 20;

/** Shows a body as text, with blocks that can be collapsed and a search. */
export function ResponseBody({ body, isJson }: { readonly body: string; readonly isJson: boolean }) {
  const lines = useMemo(() => bodyLines(body), [body]);
  const [folded, setFolded] = useState(() => firstFolds(lines));
  const [limit, setLimit] = useState(LINES_AT_ONCE);
  const [wanted, setWanted] = useState('');
  const [match, setMatch] = useState(0);
  const matches = useMemo(() => matchingLines(lines, wanted), [lines, wanted]);
  const visible = useMemo(() => visibleLines(lines, folded), [lines, folded]);
  const current = matches[match];
  const goTo = (next: number, all: readonly number[]) => {
    const line = all[next];
    setMatch(next);
    if (line === undefined) return;
    const open = unfoldAround(lines, folded, line);
    setFolded(open);
    setLimit(Math.max(limit, visibleLines(lines, open).indexOf(line) + LINES_AT_ONCE / 2));
  };
  const step = (by: number) => goTo((match + by + matches.length) % matches.length, matches);
  const toggle = (line: number) => {
    const next = new Set(folded);
    if (!next.delete(line)) next.add(line);
    setFolded(next);
  };
  return (
    <div className={styles.body}>
      <div className={styles.head}>
        <span>Body</span>
        {lines.length >= MIN_SEARCHED && (
          <span className={styles.search}>
            <input
              type="search"
              aria-label="Search in the body"
              placeholder="Search"
              value={wanted}
              onChange={(event) => {
                setWanted(event.target.value);
                goTo(0, matchingLines(lines, event.target.value));
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                if (matches.length > 0) step(event.shiftKey ? -1 : 1);
              }}
            />
            <span role="status" className={styles.matches}>
              {wanted !== '' &&
                (matches.length === 0 ? 'None' : `${formatCount(match + 1)} of ${formatCount(matches.length)}`)}
            </span>
            {matches.length > 1 && (
              <>
                <IconButton icon={ChevronUp} label="Previous match" onClick={() => step(-1)} />
                <IconButton icon={ChevronDown} label="Next match" onClick={() => step(1)} />
              </>
            )}
          </span>
        )}
        <CopyIcon text={lines.map(({ text }) => text).join('\n')} label="Copy the body" />
      </div>
      <ScrollBox label="Body" as="div" className={styles.lines}>
        {visible.slice(0, limit).map((index) => {
          const { text, end } = lines[index] ?? { text: '', end: null };
          const isFolded = folded.has(index);
          return (
            <div
              key={index}
              ref={index === current ? showLine : undefined}
              className={styles.line}
              data-match={
                index === current ? 'current' : wanted !== '' && matches.includes(index) ? 'other' : undefined
              }
            >
              {end === null ? (
                <span className={styles.gutter} />
              ) : (
                <button
                  type="button"
                  className={styles.gutter}
                  aria-expanded={!isFolded}
                  aria-label={`${pluralize(end - index - 1, 'line')} of ${text.trim().replace(/[{[]$/, '') || 'the value'}`}
                  onClick={() => toggle(index)}
                >
                  {isFolded ? <ChevronRight size={12} aria-hidden /> : <ChevronDown size={12} aria-hidden />}
                </button>
              )}
              <code className={styles.text}>
                {isJson ? <Code text={text} language="json" /> : text}
                {isFolded && end !== null && ` … ${lines[end]?.text.trim() ?? ''}`}
              </code>
            </div>
          );
        })}
      </ScrollBox>
      {visible.length > limit && (
        <Button onClick={() => setLimit(limit + LINES_AT_ONCE)}>
          Show more ({formatCount(visible.length - limit)} lines left)
        </Button>
      )}
    </div>
  );
}

function showLine(line: HTMLElement | null): void {
  line?.scrollIntoView({ block: 'nearest' });
}
