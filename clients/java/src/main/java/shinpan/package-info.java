/**
 * Java client of Shinpan, a stateless referee for hidden-information board games.
 *
 * <p>{@link shinpan.ShinpanClient} connects. The messages of the API are in {@code shinpan.v1}, generated from {@code
 * proto/shinpan/v1}.
 */
package shinpan;
