import { createStore } from 'jotai'

/** The page's state lives here, outside of components: uploads and jobs go on whatever is shown. */
export const store = createStore()
