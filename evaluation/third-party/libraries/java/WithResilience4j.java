import io.github.resilience4j.core.IntervalBiFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * resilience4j around the HttpClient of the JDK. As shipped: RetryConfig.ofDefaults() with 429 as a result to retry, which
 * it has to be told in any case. Configured: an interval that is a function of the response.
 */
final class WithResilience4j {
    static final IntervalBiFunction<HttpResponse<String>> INTERVAL = (attempt, outcome) ->
        Petstore.pauseMs(outcome.isRight() ? outcome.get().headers().firstValue("Retry-After").orElse(null) : null, attempt - 1);

    static boolean limited(HttpResponse<String> response) {
        return response.statusCode() == 429;
    }

    public static void main(String[] arguments) throws InterruptedException {
        boolean asShipped = Petstore.asShipped(arguments);
        var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        RetryConfig.Builder<HttpResponse<String>> config = RetryConfig.<HttpResponse<String>>custom()
            .retryOnResult(WithResilience4j::limited);
        if (!asShipped) config.maxAttempts(Petstore.ATTEMPTS).intervalBiFunction(INTERVAL);
        var retry = Retry.of("petstore", config.build());
        Petstore.work((method, body) -> {
            var publisher = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
            var request = HttpRequest.newBuilder(URI.create(Petstore.URL)).header("Authorization", Petstore.AUTHORIZATION);
            if (body != null) request.header("Content-Type", "application/json");
            return Retry.decorateCallable(retry, () -> {
                Petstore.passGate(); // Open as shipped: nothing closes it then.
                var response = http.send(request.method(method, publisher).build(), BodyHandlers.ofString());
                if (limited(response) && !asShipped) Petstore.closeGate(response.headers().firstValue("Retry-After").orElse(null));
                return response;
            }).call().statusCode();
        });
    }
}
