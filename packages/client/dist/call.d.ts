/** A call in flight: a promise of its data, which can also give the response that the data came in. */
export interface Reply<T> {
    readonly data: T;
    readonly status: number;
    readonly headers: Headers;
    /** The server said 304, or another read of the same turn asked for the same. */
    readonly fromCache: boolean;
    readonly attempts: number;
}
export interface Call<T> extends PromiseLike<T> {
    catch<R = never>(onRejected?: ((reason: unknown) => R | PromiseLike<R>) | null): Promise<T | R>;
    finally(onFinally?: (() => void) | null): Promise<T>;
    /** The data together with status, headers and the number of attempts. */
    withResponse(): Promise<Reply<T>>;
}
/** `start` runs once, at once or when somebody first waits. */
export declare function callOf<T>(start: () => Promise<Reply<T>>): Call<T>;
