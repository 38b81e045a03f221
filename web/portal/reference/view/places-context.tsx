import { createContext, type ReactNode, useContext } from 'react';

/** The places on an operation's page. The URL can refer to each field. */
interface Places {
  /** The place to which the URL refers. */
  readonly at: string | undefined;
  /** Returns the id of the element at a place. */
  readonly idOf: (at: string) => string;
  readonly Link: (props: PlaceLinkProps) => ReactNode;
}

export interface PlaceLinkProps {
  readonly at: string;
  readonly label?: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Null on pages whose fields cannot be linked. */
export const PlacesContext = createContext<Places | null>(null);

/** Returns the attributes that let a URL refer to an element. */
export function usePlace(at: string): { readonly id?: string; readonly tabIndex?: -1 } {
  const places = useContext(PlacesContext);
  return places === null ? {} : { id: places.idOf(at), tabIndex: -1 };
}
