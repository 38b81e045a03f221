import { useQuery } from '@tanstack/react-query';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import type { KeyFilters } from '../../api/keys.ts';
import { tokensQuery } from '../../api/tokens.ts';

/** The filters that the select sets or clears. */
type Chosen = Pick<KeyFilters, 'kind' | 'token'>;

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly chosen: Chosen;
}

const KINDS: readonly Choice[] = [
  { value: 'secret', label: 'keys with a secret', chosen: { kind: 'secret' } },
  { value: 'foreign', label: 'keys of another gateway', chosen: { kind: 'foreign' } },
  { value: 'token', label: 'callers with access tokens', chosen: { kind: 'token' } },
];

interface Props extends Chosen {
  readonly onChoose: (chosen: { readonly kind: string | undefined; readonly token: string | undefined }) => void;
}

/** A select that filters by the kind of a key, or by the issuer of its access tokens. */
export function KindFilter({ kind, token, onChoose }: Props) {
  const configured = useQuery(tokensQuery).data?.items.map(({ name }) => name) ?? [];
  // The URL may name an issuer that is no longer configured. It is added so that the select can show it.
  const names = token === undefined || configured.includes(token) ? configured : [...configured, token];
  const choices = [...KINDS, ...names.map(choiceFor)];
  const choose = (value: string) => {
    const chosen = choices.find((choice) => choice.value === value)?.chosen;
    onChoose({ kind: chosen?.kind, token: chosen?.token });
  };
  const value = token === undefined ? (kind ?? '') : choiceFor(token).value;
  return <FilterSelect label="Kind" value={value} options={choices} onChange={choose} />;
}

function choiceFor(name: string): Choice {
  return { value: `token:${name}`, label: `callers of ${name}`, chosen: { token: name } };
}
