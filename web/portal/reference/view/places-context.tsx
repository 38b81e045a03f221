import { createContext, type ReactNode, useContext } from 'react';

/** The context of an operation's page, whose URL can refer to each of its fields. */
interface Places {
  /** The place that the URL refers to. */
  readonly at: string | undefined;
  /** The id of the element at a place. */
  readonly idOf: (at: string) => string;
  readonly Link: (props: PlaceLinkProps) => ReactNode;
}

export interface PlaceLinkProps {
  readonly at: string;
  readonly label?: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Null on pages whose fields have no URLs. */
export const PlacesContext = createContext<Places | null>(null);

/** The attributes of an element that a URL can refer to. */
export function usePlace(at: string): { readonly id?: string; readonly tabIndex?: -1 } {
  const places = useContext(PlacesContext);
  return places === null ? {} : { id: places.idOf(at), tabIndex: -1 };
}
