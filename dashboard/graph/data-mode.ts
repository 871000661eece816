/** The data that the screens of the portal display: those of the platform, or the test data of the account. */
import { createContext, useContext } from 'react';

export type DataMode = 'LIVE' | 'TEST';

/** Provided by the layout of the portal, from the URL. The dashboard has live data only. */
export const DataModeContext = createContext<DataMode>('LIVE');

export const useDataMode = (): DataMode => useContext(DataModeContext);
